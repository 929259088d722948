import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives
import RedirectFlow

/// The machine: obstacles between readers and the service, and its clock.
struct SystemCheck {
  /// Kernel modules that claim an NFC reader, so that pcscd does not get it: the drivers of the kernel's own NFC
  /// (linux, drivers/nfc), for chips of PN533 readers such as the ACR122U, and of Sony's.
  static let takers = ["pn533_usb", "pn533", "port100"]

  /// The loaded modules, as `/proc/modules` lists them (proc(5)).
  let modules: String
  let now: UTCTime
  /// The trust anchors; the present cannot be before the issue of any of them.
  let anchors: TrustStore?

  /// Each line begins with the name of a module.
  var moduleFinding: DoctorFinding {
    let loaded = Set(modules.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    let taking = Self.takers.filter { loaded.contains($0[...]) }
    guard !taking.isEmpty else {
      return DoctorFinding("kernel-modules", .ok, Message("doctor.kernel-modules.none"))
    }
    let names = taking.joined(separator: " ")
    return DoctorFinding(
      "kernel-modules", .warning, Message("doctor.kernel-modules.taking", ["names": names]),
      remedy: Message("doctor.kernel-modules.taking.do", ["names": names]),
      command: "sudo modprobe -r \(names)")
  }

  var clockFinding: DoctorFinding {
    let issued = (anchors?.certificates ?? []).map(\.notBefore)
    guard let problem = PresentTime.clock(now).problem(issued: issued) else {
      return DoctorFinding(
        "clock", .ok, Message("doctor.clock.plausible", ["time": LocalMoment(now)]))
    }
    return DoctorFinding("clock", problem, command: "sudo timedatectl set-ntp true")
  }

  var anchorFinding: DoctorFinding {
    let all = anchors?.certificates ?? []
    let valid = all.filter { $0.isValid(at: now) }
    guard let last = valid.map(\.notAfter).max() else {
      return DoctorFinding(
        "anchors", .warning, Message("doctor.anchors.none"),
        remedy: Message("doctor.anchors.none.do"))
    }
    return DoctorFinding(
      "anchors", .ok,
      Message("doctor.anchors.valid", ["total": all.count, "valid": valid.count, "day": last]))
  }
}

extension SystemCheck {
  /// Of this machine.
  init(_ context: RunContext, anchors: TrustStore?) {
    let file = open("/proc/modules", O_RDONLY | O_CLOEXEC)
    let text = (try? FileDescriptor(file).readAll(limit: 1 << 20)) ?? []
    if file >= 0 { close(file) }
    self.init(
      modules: String(decoding: text, as: UTF8.self), now: context.time, anchors: anchors)
  }
}

/// The trusted lists, and their age.
struct TrustedListCheck {
  let context: RunContext

  var finding: DoctorFinding {
    let name = "trusted-lists"
    let remedy = Message("doctor.trusted-lists.do")
    let lists: [ListState]
    do throws(Failure) { lists = try TrustedListFolder.checkedLists() } catch {
      return DoctorFinding(
        name, .warning, Diagnosis(error).what, remedy: Message("trusted-lists-damaged.do"),
        repair: .trustedLists)
    }
    guard !lists.isEmpty else {
      return DoctorFinding(
        name, .unchecked, Message("doctor.trusted-lists.none"), remedy: remedy,
        repair: .trustedLists)
    }
    if let old = lists.first(where: { $0.isOld(at: context.time) }) {
      let what = Message(
        "doctor.trusted-lists.old", ["list": old.territory, "date": old.issued])
      return DoctorFinding(name, .warning, what, remedy: remedy, repair: .trustedLists)
    }
    let names = lists.map(\.territory).joined(separator: ", ")
    let fetched = lists.map(\.fetched).min() ?? context.time
    return DoctorFinding(
      name, .ok, Message("doctor.trusted-lists.known", ["lists": names, "date": fetched]),
      repair: .trustedLists)
  }
}

/// The browsers of this user that do not know the card, and registrations whose file is gone.
struct RegistrationCheck {
  /// Nil without a home folder.
  let search: RegistrationSearch?

  var findings: [DoctorFinding] {
    guard let search else { return [] }
    let closed = search.closedSandboxes
    var copies = ModuleCopies()
    return Registrant.usual.flatMap { registrant -> [DoctorFinding] in
      let all = search.registrations(of: registrant, ifStarted: true)
      let places = [nil] + search.sandboxes.map(Optional.some)
      let found = places.compactMap { place in
        finding(registrant, in: place, all.filter { $0.sandbox == place }, &copies)
      }
      return found + closed.filter { $0.registrant == registrant }.map(Self.closed)
    }
  }

  /// - Returns: nil for a browser that was never started, and a desktop entry that is in order or not wanted.
  private func finding(
    _ registrant: Registrant, in sandbox: BrowserSandbox?, _ registrations: [Registration],
    _ copies: inout ModuleCopies
  ) -> DoctorFinding? {
    let changes = registrations.map {
      $0.attempt { (registration) throws(Failure) in try registration.read(&copies) }
    }
    let paths = changes.compactMap { (change) -> String? in
      if case .registered(let path) = change.state { path } else { nil }
    }
    let name = sandbox?.title ?? registrant.title
    if let gone = paths.first(where: { $0.hasPrefix("/") && access($0, F_OK) != 0 }) {
      return mended(
        by: registrant, Message("doctor.browser.gone", ["program": name, "path": gone]))
    }
    if let failure = changes.lazy.compactMap(\.failure).first {
      return DoctorFinding("browser", Diagnosis(failure), .warning)
    }
    guard registrant.needsModule, !changes.isEmpty else { return nil }
    if changes.contains(where: \.isOutdated) {
      return mended(by: registrant, Message("doctor.browser.outdated", ["program": name]))
    }
    do throws(Failure) {
      for path in Set(paths) where path != RegistrationSearch.ownModule {
        try copies.check(path)
      }
    } catch { return DoctorFinding("browser", Diagnosis(error), .warning) }
    guard paths.isEmpty else {
      return DoctorFinding("browser", .ok, Message("doctor.browser.known", ["program": name]))
    }
    return mended(by: registrant, Message("doctor.browser.absent", ["program": name]))
  }

  private static func closed(_ sandbox: BrowserSandbox) -> DoctorFinding {
    DoctorFinding(
      "browser", .warning, Message("doctor.browser.closed", ["program": sandbox.title]),
      remedy: Message("doctor.browser.closed.do", ["command": sandbox.opening]),
      command: sandbox.opening)
  }

  /// A warning that registering anew mends.
  private func mended(by registrant: Registrant, _ what: Message) -> DoctorFinding {
    DoctorFinding(
      "browser", .warning, what,
      remedy: Message("doctor.browser.do", ["program": registrant.rawValue]),
      repair: .registration(registrant))
  }
}

/// A check that a login environment can be reached from here.
struct NetworkCheck {
  let environment: LoginEnvironment?
  let context: RunContext

  /// Long enough for a slow line, short enough for a waiting person.
  private static let patience = Duration.seconds(15)

  var finding: DoctorFinding {
    guard let environment else {
      return DoctorFinding("network", .unchecked, Message("doctor.network.not-asked"))
    }
    let probe = EnvironmentProbe(environment, timeout: Self.patience)
    let host = environment.identityProvider.origin.description
    defer { context.interruption.forget() }
    do throws(ChannelError) {
      let result = try context.interruption.cancelling({ probe.cancel() }) {
        () throws(ChannelError) in
        Result { () throws(LoginError) in try probe.run() }
      }
      switch result {
      case .success:
        return DoctorFinding("network", .ok, Message("doctor.network.answers", ["host": host]))
      case .failure(let error): return DoctorFinding("network", Diagnosis(error), .warning)
      }
    } catch { return DoctorFinding("network", Diagnosis(error)) }
  }
}
