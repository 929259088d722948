/// A secure channel after key agreement: encrypted, but with an unknown party.
///
/// Its only operation is device authentication. Success turns it into a `SecureChannel`; failure
/// ends it.
struct UnprovenChannel<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var secure: SecureChannel<Channel>
  let transcript: KeyAgreementTranscript

  init(_ secure: consuming SecureChannel<Channel>, transcript: KeyAgreementTranscript) {
    self.secure = secure
    self.transcript = transcript
  }

  /// Authenticates both sides (IAS ECC §5.2.3): the terminal first, then the chip.
  ///
  /// - Parameters:
  ///   - chipKey: the public key of EF.Int.Kpub.
  ///   - authority: the key that verifies the terminal's certificate.
  ///   - report: called as each step begins.
  consuming func authenticate(
    chipKey: RSAPublicKey, authority: AuthorityKey, random: inout some RandomSource,
    report: (CardError.Step) -> Void
  ) -> Outcome {
    do throws(CardError) {
      let counter = try prove(chipKey, authority, &random, report)
      secure.restart(counter)
    } catch {
      return .failed(error, secure.endSession())
    }
    return .proven(secure)
  }

  enum Outcome: ~Copyable {
    /// Both sides are authenticated.
    case proven(SecureChannel<Channel>)
    /// It failed; the plain channel remains.
    case failed(CardError, PlainChannel<Channel>)
  }

  private mutating func prove(
    _ chipKey: RSAPublicKey, _ authority: AuthorityKey, _ random: inout some RandomSource,
    _ report: (CardError.Step) -> Void
  ) throws(CardError) -> SendSequenceCounter {
    report(.presentCertificate)
    try DeviceAuthentication.presentCertificate(to: &secure, authority: authority)
    report(.authenticateTerminal)
    let cardChallenge = try DeviceAuthentication.proveTerminal(
      to: &secure, transcript: transcript, random: &random)
    report(.authenticateChip)
    let terminalChallenge = try DeviceAuthentication.proveChip(
      through: &secure, key: chipKey, transcript: transcript, random: &random)
    return SendSequenceCounter(
      cardChallenge: cardChallenge, terminalChallenge: terminalChallenge)
  }
}
