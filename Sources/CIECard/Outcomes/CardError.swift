internal import Primitives

/// The error of a function of the card: the step, and the reason.
///
/// It is data: a program switches over `reason`, and shows a person the texts of its `Diagnosis`.
public struct CardError: Error, Sendable, Equatable {
  /// The step at which it happened.
  public let step: Step
  /// The reason.
  public let reason: Reason

  package init(_ step: Step, _ reason: Reason) {
    self.step = step
    self.reason = reason
  }

  /// The reasons for an error. Inside this package a command throws one alone, before the step is added.
  public enum Reason: Error, Sendable, Equatable {
    /// The reader, the service or the connection to the card failed.
    case channel(ChannelError)
    /// The card has no CIE application; the last status word.
    case notACIE(StatusWord)
    case refused(StatusWord)
    /// The answer does not have the specified form.
    case malformed(Malformation)
    /// An answer inside the secure channel failed verification; the channel is closed.
    case notBelieved(SecureMessagingError)
    /// The card ended the secure channel with this status word, in clear and therefore without
    /// proof: it no longer knows the session, or cannot carry out the command in it.
    case channelEnded(StatusWord)
    /// The card announced more and more bytes without end.
    case endlessAnswer
    /// The domain parameters or the public value of the card are not safe to use.
    case unsafeParameters(UnsafeParameter)
    /// The chip did not prove that it holds the key of device authentication.
    case chipNotAuthentic
    /// The State does not vouch for this chip: the false point. No code was sent.
    case notGenuine(AuthenticityReport.Verdict)
    /// It could not be checked that the State vouches for this chip, and that was not allowed; or
    /// the chip withholds the file needed for the check. No code was sent.
    case genuinenessUnknown(AuthenticityReport.Obstacle)
    /// The command that sets a new PIN was sent, but no trustworthy answer was received: it is
    /// unknown which PIN is in force.
    indirect case outcomeUnknown(because: Reason)
    /// The PIN or PUK is wrong; with the remaining tries if the card reported them.
    case wrongCode(CodeKind, triesLeft: Int?)
    case blocked(CodeKind)
    /// One try is left, and spending it was not allowed.
    case lastTryRefused(CodeKind)
    /// The access code does not belong to this document; with the remaining tries if the card
    /// reported them.
    case wrongAccessCode(AccessCode.Kind, triesLeft: Int?)
    /// The card refused the last step of PACE with an unspecific status word: the code does not
    /// belong to this document, or card or reader failed.
    case accessRefused(AccessCode.Kind, StatusWord)
    case accessCodeBlocked(AccessCode.Kind)
    /// One try of the access code is left, and spending it was not allowed.
    case lastAccessTryRefused(AccessCode.Kind)
    /// The document opens only with extended-length APDUs, which the reader does not carry (`nil`),
    /// or to which reader or card responded with this status word.
    case extendedLengthNeeded(StatusWord?)
    /// The card offers no access protocol that this program supports for this code.
    case noAccessProtocol
    /// The card's signature does not verify with its certificate.
    case signatureFalse
    case certificate(Certificate.Malformation)
    case crypto(CryptoError)
  }

  /// Malformations of an answer.
  public enum Malformation: String, Sendable, Equatable {
    /// A data object is missing, truncated or out of place.
    case structure
    /// The file ends before its declared length.
    case truncatedFile = "truncated-file"
    /// The file declares a length that no such file has.
    case oversizedFile = "oversized-file"
    /// A value has a wrong length.
    case length
    /// A text field contains invalid characters.
    case characters
  }

  /// The refused Diffie–Hellman values.
  public enum UnsafeParameter: String, Sendable, Equatable {
    /// The modulus is too short, too long or even.
    case modulus
    /// The order of the subgroup is too short, too long or even.
    case order
    /// The generator is trivial or not in the subgroup.
    case generator
    /// The public value is trivial, our own, or not in the subgroup.
    case publicValue = "public-value"
    /// The key under which terminal certificates are verified has an unusable size.
    case authorityKey = "authority-key"
    /// The device key has an unusable size.
    case deviceKey = "device-key"
  }
}

extension CardError {
  /// True if only the requested file is missing: the card refused it, or it is malformed. The
  /// connection to the card still works.
  package var leavesFileOut: Bool {
    switch reason {
    case .refused, .malformed: true
    default: false
    }
  }

  /// Runs a calculation; its failure becomes a card error at this step.
  static func crypto<Result: ~Copyable>(
    at step: Step, _ body: () throws(CryptoError) -> Result
  ) throws(CardError) -> Result {
    return try mapError(try body()) { CardError(step, .crypto($0)) }
  }

  /// As with a closure, for one expression.
  static func crypto<Result: ~Copyable>(
    at step: Step, _ value: @autoclosure () throws(CryptoError) -> Result
  ) throws(CardError) -> Result {
    return try mapError(try value()) { CardError(step, .crypto($0)) }
  }

  /// The error for data that could not be parsed: no memory if that was the cause, otherwise the
  /// reason.
  static func unparsed(_ reason: Reason, at step: Step) -> CardError {
    let memory = CryptoError.outOfMemory("parsing of the card's data")
    return CardError(step, memory.map { .crypto($0) } ?? reason)
  }

  /// Parses an answer; a failure becomes a card error at this step.
  static func parse<Result>(
    at step: Step, _ value: @autoclosure () throws(TLVError) -> Result
  ) throws(CardError) -> Result {
    try mapError(try value()) { (_: TLVError) in CardError(step, .malformed(.structure)) }
  }

  /// The codes of the card.
  public enum CodeKind: String, Sendable, Hashable {
    /// The PIN, eight digits, three tries.
    case pin
    /// The PUK, eight digits, ten tries.
    case puk
  }

  /// The reason why an answer inside secure messaging failed verification. Any of these closes the
  /// channel for good.
  public enum SecureMessagingError: Equatable, Sendable {
    /// The channel was closed by an earlier failure.
    case closed
    /// The answer was unprotected and claims success with this status word.
    case unprotected(StatusWord)
    /// The answer is not a sequence of the data objects 87 or 85, 99 and 8E.
    case malformed
    /// The status word object (99) is missing.
    case missingStatus
    /// The MAC object (8E) is missing.
    case missingMAC
    /// The MAC does not match the answer, the counter or the keys.
    case wrongMAC
    /// The decrypted data do not end in padding.
    case wrongPadding
  }
}
