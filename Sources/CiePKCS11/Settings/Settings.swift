internal import CIECard
internal import Glibc
internal import Primitives

/// Settings from the environment, because a host has no other means to pass them.
struct Settings: Sendable {
  /// The log of the calls; `nil` if not requested.
  var log: CallLog?
  var terms: CardTerms

  init(terms: CardTerms = CardTerms()) { self.terms = terms }

  /// Reads the environment, which is ignored in a program with more privileges than its user.
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
    // The check is the default; requiring it explicitly overrides skipping it.
    terms.skipsGenuineCheck =
      variable("CIE_PKCS11_SKIP_GENUINE_CHECK") == "1"
      && variable("CIE_PKCS11_REQUIRE_GENUINE") != "1"
    // Two lists of anchors: those imported by `cie-read`, if any, and those named here.
    if let folder = TrustStore.importFolder(variable) { believe(folder, isOptional: true) }
    let paths = (variable("CIE_PKCS11_TRUST") ?? "").split(separator: ":")
    for path in paths { believe(String(path), isOptional: false) }
  }

  static func ofProcess() -> Settings {
    Settings(environment: Environment.value(of:))
  }

  private mutating func believe(_ path: String, isOptional: Bool) {
    do throws(TrustStore.LoadingError) {
      let store = try TrustStore(path: path)
      terms.trust = terms.trust?.merged(with: store) ?? store
    } catch {
      switch error {
      case .notFound, .empty:
        if !isOptional { log?.write("no certificates in \(path)") }
      case .unreadable, .notAFile, .writableByOthers, .tooLarge, .tooManyFiles, .notACertificate,
        .masterList:
        log?.write("anchors are left out: \(error)")
      }
    }
  }
}

/// A log of all calls: names, numbers, sizes, results, never a value. It shows errors that hosts
/// conceal.
struct CallLog: Sendable {
  /// The file; `-` is standard error.
  private let path: String

  init?(path: String?) {
    guard let path, !path.isEmpty else { return nil }
    self.path = path
  }

  /// Adds a line. Write errors are ignored.
  func write(_ line: @autoclosure () -> String) {
    let text = "\(UTCCalendar.millisecondsNow) \(getpid()) \(Self.thread) \(line())\n"
    let descriptor =
      path == "-" ? STDERR_FILENO : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // One write call, so that lines of several processes do not mix.
    var bytes = Array(text.utf8)
    _ = Glibc.write(descriptor, &bytes, bytes.count)
    if path != "-" { close(descriptor) }
  }

  /// Only distinguishes threads.
  private static var thread: String { String(UInt(pthread_self()) >> 8 & 0xFFFFFF, radix: 16) }
}
