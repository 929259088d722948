import CardWork
import Messages
import Primitives

/// The registrations of some programs after a look or a change.
struct RegistrationList: FunctionResult {
  private let programs: [(registrant: Registrant, changes: [RegistrationChange])]
  private let closed: [BrowserSandbox]

  /// Applies an action to the files of some registrants, to all even if it fails for one.
  ///
  /// - Parameter ifStarted: true to leave out a browser that was never started.
  init(
    _ registrants: [Registrant], ifStarted: Bool = false,
    _ change: (Registration) throws(Failure) -> RegistrationChange
  ) throws(Failure) {
    guard let search = RegistrationSearch({ Environment.value(of: $0) }) else {
      throw .usage("no-home")
    }
    programs = registrants.map { registrant in
      let registrations = search.registrations(of: registrant, ifStarted: ifStarted)
      return (registrant, registrations.map { $0.attempt(change) })
    }
    closed = search.closedSandboxes
  }

  /// The first.
  var failure: Failure? { programs.lazy.flatMap(\.changes).compactMap(\.failure).first }

  static let members: [Member<RegistrationList>] = [
    Member("registrations") { $0.programs.flatMap(\.changes) },
    Member(
      "unreachable", { $0.closed.map(\.folder) },
      note: "Browsers in a sandbox that keeps them from the reader."),
  ]

  func lines(_ language: Language) -> [String] {
    programs.flatMap { registrant, changes -> [String] in
      guard !changes.isEmpty else {
        return [Message("browser.none", ["program": registrant.rawValue])(language)]
      }
      // The next steps once, however many profiles there are.
      let next = changes.compactMap(\.next).last
      return changes.map { $0.message(language) } + (next.map { [$0(language)] } ?? [])
    }
      + closed.map {
        Message("browser.unreachable", ["path": $0.folder, "command": $0.opening])(language)
      }
  }
}

extension RegistrationChange: DescribedObject {
  static let members: [Member<RegistrationChange>] = [
    Member("program", \.program), Member("path", \.registration.path), Member("state", \.word),
    Member("module") { $0.registration.registrant.needsModule ? $0.what : nil },
    Member("changed", \.isChanged),
    .whenPresent(
      "opener", { $0.registration.registrant.needsModule ? nil : .some($0.what) },
      note: "What opens links for the app; in rows of the desktop alone."),
    .whenPresent(
      "outdated", { $0.registration.sandbox == nil ? nil : .some($0.isOutdated) },
      note: "True if the copy of the module is an old one; in rows of sandboxes alone."),
    .whenPresent("error") { $0.failure.map { ErrorFacts(diagnosis: Diagnosis($0)) } },
  ]

  private enum Word: String, CaseIterable, DescribedWord {
    case absent
    case failed
    case foreign
    case registered
  }

  private var word: Word {
    guard failure == nil else { return .failed }
    return switch state {
    case .absent: .absent
    case .foreign: .foreign
    case .registered: .registered
    }
  }

  private var what: String? { if case .registered(let what) = state { what } else { nil } }

  private var program: String { registration.registrant.rawValue }

  fileprivate var message: Message {
    let path = registration.path
    if let failure {
      return Message("browser.failed", ["program": program, "problem": Diagnosis(failure).what])
    }
    return switch state {
    case .absent:
      Message(
        isChanged ? "browser.removed" : "browser.absent", ["program": program, "path": path])
    case .foreign:
      Message(
        registration.isHandlerList ? "browser.foreign-desktop" : "browser.foreign",
        ["program": program, "path": path])
    case .registered where isOutdated:
      Message("browser.outdated", ["program": program, "path": path])
    case .registered(let module) where registration.registrant.needsModule:
      Message(
        isChanged ? "browser.installed" : "browser.registered",
        ["program": program, "path": path, "module": module])
    case .registered(let what):
      Message(
        isChanged ? "browser.installed-desktop" : "browser.registered-desktop",
        ["program": program, "path": path, "what": what])
    }
  }

  /// The next steps after installing; `nil` after nothing new.
  fileprivate var next: Message? {
    guard case .registered = state, isChanged else { return nil }
    return switch registration.registrant {
    case .firefox: Message("browser.next-firefox")
    case .chromium: Message("browser.next-chromium")
    case .firefoxPolicy: Message("browser.next-policy")
    case .p11Kit: Message("browser.next-p11-kit")
    case .openSSH: Message("browser.next-openssh", ["path": registration.path])
    case .openSSL: Message("browser.next-openssl", ["path": registration.path])
    case .desktop: Message("browser.next-desktop")
    }
  }
}
