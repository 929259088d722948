internal import CIECard
internal import Glibc

/// What the environment says; a host has no other way to tell.
struct Settings: Sendable {
  /// The log of the calls; `nil` when nobody wants one.
  var log: CallLog?
  var terms: CardTerms

  /// The settings of a test.
  init(terms: CardTerms = CardTerms()) { self.terms = terms }

  /// Reads the environment; nothing of it is believed in a program that runs with other rights than its user's.
  init(environment variable: (String) -> String?) {
    self.init()
    log = CallLog(path: variable("CIE_PKCS11_LOG"))
    let limits = (variable("CIE_PKCS11_IDLE") ?? "").split(separator: ",").map { Int($0) }
    let seconds = limits.compactMap { $0.flatMap { (1...86_400).contains($0) ? $0 : nil } }
    if seconds.count == limits.count, (1...2).contains(seconds.count) {
      terms.idleAfterLogin = .seconds(seconds[0])
      terms.idleAfterSignature = .seconds(min(seconds[seconds.count - 1], seconds[0]))
    } else if !limits.isEmpty {
      log?.write("CIE_PKCS11_IDLE is not SECONDS[,SECONDS]")
    }
    terms.requiresGenuine = variable("CIE_PKCS11_REQUIRE_GENUINE") == "1"
    // Two lists of anchors: what `cie-read` has imported, which may be missing, and what is named here.
    if let folder = TrustStore.importFolder(variable) { believe(folder, isOptional: true) }
    let paths = (variable("CIE_PKCS11_TRUST") ?? "").split(separator: ":")
    for path in paths { believe(String(path), isOptional: false) }
  }

  /// The environment of this process.
  static func ofProcess() -> Settings {
    let isOfUser = getuid() == geteuid() && getgid() == getegid()
    return Settings { name in isOfUser ? getenv(name).map { String(cString: $0) } : nil }
  }

  private mutating func believe(_ path: String, isOptional: Bool) {
    do throws(TrustStore.LoadingError) {
      let store = try TrustStore(path: path)
      terms.trust = terms.trust?.merged(with: store) ?? store
    } catch {
      switch error {
      case .notFound, .empty:
        if !isOptional { log?.write("no certificates in \(path)") }
      case .unreadable, .notAFile, .tooLarge, .tooManyFiles, .notACertificate, .masterList:
        log?.write("anchors are left out: \(error)")
      }
    }
  }
}
