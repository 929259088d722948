public import CIECard

/// An error as people and scripts get it: what kind of failure it is, a stable name, what happened, what to do.
///
/// The name is also the row of the table that says what happened; what to do is in the row of the same name with `.do`.
public struct Diagnosis: Sendable {
  /// What a program may want to do about it, rather than a person.
  public enum Kind: Sendable, Hashable {
    /// The program or the machine failed, not the card.
    case internalFailure
    /// The PC/SC service does not run.
    case noService
    /// No reader, or not the one named, or several that fit.
    case noReader
    /// No card within the time given.
    case noCard
    /// The card is not a CIE.
    case notACIE
    /// Wrong PIN or PUK, or wrong code of the travel document.
    case wrongCode
    /// PIN or PUK blocked, or the last try not spent.
    case blocked
    /// The card was lost in the middle.
    case cardLost
    /// Checked, and false.
    case `false`
    /// Refused by the server.
    case serverRefused
    /// The reader or the card cannot carry it.
    case notCarried
    /// Could not be checked.
    case couldNotCheck
    /// The network failed.
    case network
    /// An untrusted or malformed request.
    case untrustedRequest
    /// Nobody is signed in.
    case notSignedIn
    /// An input that cannot be used.
    case usage
    /// Given up, by a person or a signal.
    case interrupted
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The name that scripts may rely on.
  public let name: String
  /// What happened.
  public let what: Message
  /// What to do.
  public var advice: Message
  /// Where on the card it happened.
  public internal(set) var step: CardError.Step?
  /// What the card answered.
  public internal(set) var statusWord: StatusWord?
  /// How many tries are left of the code that was wrong.
  public internal(set) var triesLeft: Int?

  /// - Parameters:
  ///   - arguments: what goes into the placeholders of both rows.
  ///   - key: the row that says what happened, where it is not called like the error.
  ///   - advice: what to do, where the table has no row of its own for it.
  package init(
    _ kind: Kind, _ name: String, _ arguments: [String: Message.Argument] = [:],
    key: String? = nil, advice: Message? = nil
  ) {
    self.kind = kind
    self.name = name
    what = Message(key ?? name, arguments)
    let own = Message("\(what.key).do", arguments)
    self.advice = own.exists ? own : advice ?? own
  }

  /// What the cryptography library refused.
  public init(_ error: CryptoError) {
    self.init(.internalFailure, "crypto-failed", ["operation": error.summary])
  }

  /// Given up, by a person or a signal.
  package static var interrupted: Diagnosis { Diagnosis(.interrupted, "interrupted") }
}

extension CryptoError {
  /// Operation and reason in one line; neither ever holds key material.
  fileprivate var summary: String { reason.isEmpty ? operation : "\(operation): \(reason)" }
}
