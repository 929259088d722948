internal import Glibc
public import Primitives

extension Diagnosis {
  /// An error of the connection to the card.
  public init(_ error: ChannelError) {
    switch error {
    case .serviceMissing: self = .serviceMissing(isInstalled: Self.isServiceInstalled)
    case .accessDenied: self.init(.noService, "access-denied")
    case .serviceStopped: self = .serviceStopped(isListening: Self.isServiceListening)
    case .serviceUnresponsive: self.init(.noService, "service-not-answering")
    case .serviceOfOtherVersion: self.init(.noService, "service-of-other-version")
    case .noReader: self.init(.noReader, "no-reader")
    case .readerNotFound: self.init(.noReader, "reader-not-found")
    case .readerAmbiguous(_, let names):
      self.init(.noReader, "reader-ambiguous", ["names": names.joined(separator: "; ")])
    case .readerRemoved: self.init(.noReader, "reader-removed")
    case .readerUnavailable(let name): self.init(.noReader, "reader-unavailable", ["name": name])
    case .noCard: self.init(.noCard, "no-card")
    case .replayMismatch(let line, let detail):
      self.init(.usage, "replay-mismatch", ["line": line, "detail": detail])
    case .cancelled, .withheld: self = .interrupted
    case .other(let code, let function):
      self.init(.internalFailure, "pcsc-error", ["function": function, "number": Self.text(code)])
    case .lengthNotCarried(let length):
      self.init(.notCarried, "length-not-carried", ["length": length])
    case .cardRemoved: self.init(.cardLost, "card-removed", advice: .lost)
    case .cardMute: self.init(.cardLost, "card-mute", advice: .lost)
    case .transmissionFailed(let code):
      self.init(.cardLost, "transmission-failed", ["number": Self.text(code)], advice: .lost)
    case .cardReset: self.init(.cardLost, "card-reset", advice: .lost)
    case .sharingViolation: self.init(.cardLost, "sharing-violation")
    case .truncatedResponse(let length):
      self.init(.cardLost, "truncated-response", ["length": length], advice: .lost)
    }
  }

  /// True if pcscd is at the distributions' path.
  private static var isServiceInstalled: Bool {
    let places = ["/usr/sbin/pcscd", "/usr/bin/pcscd", "/usr/local/sbin/pcscd"]
    return places.contains { access($0, X_OK) == 0 }
  }

  /// The service does not answer; the advice depends on whether it is installed.
  static func serviceMissing(isInstalled: Bool) -> Diagnosis {
    Diagnosis(
      .noService, "service-missing",
      key: isInstalled ? "service-not-running" : "service-not-installed")
  }

  /// True if a service takes connections at the client library's address (libpcsclite, getSocketName).
  private static var isServiceListening: Bool {
    let path = Environment.value(of: "PCSCLITE_CSOCK_NAME") ?? "/run/pcscd/pcscd.comm"
    let file = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    return UnixSocketAddress.with(path) { connect(file, $0, $1) } == 0
  }

  /// The connection to the service broke; the words depend on whether it is there now.
  static func serviceStopped(isListening: Bool) -> Diagnosis {
    guard isListening else { return Diagnosis(.noService, "service-stopped") }
    return Diagnosis(.noService, "service-stopped", key: "service-connection-lost")
  }

  private static func text(_ code: some BinaryInteger) -> String {
    "0x" + String(code, radix: 16, uppercase: true)
  }
}

extension Message {
  fileprivate static let lost = Message("lost.do")
}

extension ChannelError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
