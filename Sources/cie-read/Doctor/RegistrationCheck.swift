import CardWork
import Glibc
import Messages
import Primitives

/// The browsers of this user that do not know the card, and registrations whose file is gone.
struct RegistrationCheck {
  /// Nil without a home folder.
  let search: RegistrationSearch?

  var findings: [DoctorFinding] { Registrant.usual.compactMap(finding) }

  /// - Returns: nil for a browser that was never started, and a desktop entry that is in order or not wanted.
  private func finding(_ registrant: Registrant) -> DoctorFinding? {
    guard let search, search.isStarted(registrant) else { return nil }
    let states = search.registrations(of: registrant).compactMap { try? $0.read().state }
    let paths = states.compactMap { (state) -> String? in
      if case .registered(let path) = state { path } else { nil }
    }
    let name = registrant.rawValue.prefix(1).uppercased() + registrant.rawValue.dropFirst()
    if let gone = paths.first(where: { $0.hasPrefix("/") && access($0, F_OK) != 0 }) {
      return .mended(
        by: registrant, Message("doctor.browser.gone", ["program": name, "path": gone]))
    }
    guard registrant.needsModule, !states.isEmpty else { return nil }
    guard paths.isEmpty else {
      return DoctorFinding("browser", .ok, Message("doctor.browser.known", ["program": name]))
    }
    return .mended(by: registrant, Message("doctor.browser.absent", ["program": name]))
  }
}

extension DoctorFinding {
  /// A warning that registering anew mends.
  fileprivate static func mended(by registrant: Registrant, _ what: Message) -> DoctorFinding {
    var finding = DoctorFinding(
      "browser", .warning, what,
      remedy: Message("doctor.browser.do", ["program": registrant.rawValue]))
    finding.repair = registrant
    return finding
  }
}
