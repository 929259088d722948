/// A function of the card could not be carried out: at which step, and why.
///
/// It is data, not prose: a program switches over `reason`, a person gets a sentence from whoever knows the
/// language.
public struct CardError: Error, Sendable, Equatable {
  /// Where it happened.
  public let step: Step
  /// Why.
  public let reason: Reason

  package init(_ step: Step, _ reason: Reason) {
    self.step = step
    self.reason = reason
  }

  /// Why a function could not be carried out.
  public enum Reason: Sendable, Equatable {
    /// The reader, the service or the way to the card failed.
    case channel(ChannelError)
    /// The card has no CIE application; the last status word it answered.
    case notACIE(StatusWord)
    /// The card refused the command.
    case refused(StatusWord)
    /// The answer does not have the form that the specification gives it.
    case malformed(Malformation)
    /// An answer inside the secure channel is not believed; the channel is closed.
    case notBelieved(SecureMessagingError)
    /// The card ended the secure channel with this status word, in clear and therefore proving nothing: it no longer
    /// knows the session, or cannot carry out the command in it.
    case channelEnded(StatusWord)
    /// The card announced more and more bytes without coming to an end.
    case endlessAnswer
    /// The domain parameters or the public value of the card are not safe to calculate with.
    case unsafeParameters(UnsafeParameter)
    /// The chip did not prove that it holds the key of device authentication.
    case chipNotAuthentic
    /// The State does not vouch for this chip: what is false. No code was sent.
    case notGenuine(AuthenticityReport.Verdict)
    /// Whether the State vouches for this chip could not be checked, and it was required. No code was sent.
    case genuinenessUnknown(AuthenticityReport.Obstacle)
    /// The command that sets a new PIN was sent, and no answer to it can be believed: which PIN is in force is unknown.
    indirect case outcomeUnknown(because: Reason)
    /// The PIN or PUK is wrong; how many tries are left, when the card said so.
    case wrongCode(CodeKind, triesLeft: Int?)
    /// The PIN or PUK is blocked.
    case blocked(CodeKind)
    /// One try is left, and it was not to be spent.
    case lastTryRefused(CodeKind)
    /// The access code is not this document's; how many tries are left, when the card said so.
    case wrongAccessCode(AccessCode.Kind, triesLeft: Int?)
    /// The card refused the last step of PACE with a word that names no reason: the code is not this document's, or
    /// card or reader failed.
    case accessRefused(AccessCode.Kind, StatusWord)
    /// The access code is blocked.
    case accessCodeBlocked(AccessCode.Kind)
    /// One try of the access code is left, and it was not to be spent.
    case lastAccessTryRefused(AccessCode.Kind)
    /// The document opens only with extended-length APDUs, which the reader does not carry (`nil`), or which reader or
    /// card answered with this status word.
    case extendedLengthNeeded(StatusWord?)
    /// The card offers no access protocol that this program can run with this code.
    case noAccessProtocol
    /// The card's signature does not fit its certificate.
    case signatureFalse
    /// The certificate cannot be read.
    case certificate(Certificate.Malformation)
    /// The cryptography library refused.
    case crypto(CryptoError)
  }

  /// What is wrong with the form of an answer.
  public enum Malformation: String, Sendable, Equatable {
    /// A data object is missing, cut short or out of place.
    case structure
    /// The file ends before the length that it declares.
    case truncatedFile = "truncated-file"
    /// The file declares a length that no such file has.
    case oversizedFile = "oversized-file"
    /// A value has another length than it must have.
    case length
    /// A text field holds characters that it must not have.
    case characters
  }

  /// Which Diffie–Hellman value was refused.
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
  /// The card-level error of a command that got no trustworthy answer.
  init(_ step: Step, cause error: CommandError) {
    switch error {
    case .channel(let error): self.init(step, .channel(error))
    case .endlessAnswer: self.init(step, .endlessAnswer)
    case .secureMessaging(let error): self.init(step, .notBelieved(error))
    case .channelEnded(let status): self.init(step, .channelEnded(status))
    case .crypto(let error): self.init(step, .crypto(error))
    }
  }

  /// Whether only the file that was asked for is missing: the card refused it, or it has not its form. The way to
  /// the card still holds.
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
    do { return try body() } catch { throw CardError(step, .crypto(error)) }
  }

  /// Takes an answer apart; a failure becomes a card error at this step.
  static func parse<Result>(
    at step: Step, _ body: () throws(TLVError) -> Result
  ) throws(CardError) -> Result {
    do { return try body() } catch { throw CardError(step, .malformed(.structure)) }
  }
}

extension CardError {
  /// Which of the card's codes is meant.
  public enum CodeKind: String, Sendable, Hashable {
    /// The PIN, eight digits, three tries.
    case pin
    /// The PUK, eight digits, ten tries.
    case puk
  }
}

extension CardError {
  /// Why an answer inside secure messaging is not believed. Any of these closes the channel for good.
  public enum SecureMessagingError: Error, Equatable, Sendable {
    /// The channel was closed by an earlier failure.
    case closed
    /// The answer came without protection and claims success with this status word.
    case unprotected(StatusWord)
    /// The answer is not a sequence of the data objects 87 or 85, 99 and 8E.
    case malformed
    /// The status word object (99) is missing.
    case missingStatus
    /// The MAC object (8E) is missing.
    case missingMAC
    /// The MAC does not fit the answer, the counter or the keys.
    case wrongMAC
    /// The decrypted data do not end in padding.
    case wrongPadding
  }
}
