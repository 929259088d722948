/// A secure channel to whoever took part in key agreement: encrypted, but the other side is not known yet.
///
/// It can carry out device authentication and nothing else. Success turns it into a `SecureChannel`; failure
/// ends it.
struct UnprovenChannel<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var secure: SecureChannel<Channel>
  /// What was exchanged to get here.
  let transcript: KeyAgreementTranscript

  init(_ secure: consuming SecureChannel<Channel>, transcript: KeyAgreementTranscript) {
    self.secure = secure
    self.transcript = transcript
  }

  /// Both sides prove themselves (IAS ECC §5.2.3): terminal first, then the chip.
  ///
  /// - Parameters:
  ///   - chipKey: the public key of EF.Int.Kpub.
  ///   - authority: the key that verifies the terminal's certificate.
  ///   - report: told of each step as it begins.
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

  /// How device authentication ended.
  enum Outcome: ~Copyable {
    /// Each side has proved itself to the other.
    case proven(SecureChannel<Channel>)
    /// It did not come to that; the channel in clear is left.
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
