package import CIECard
import Messages

/// The certificate of the holder.
package struct HolderCertificate: Sendable {
  package let certificate: Certificate
  /// True if it has expired, because a card of fifty years outlives it.
  package let hasEnded: Bool
  /// The file to which it was written, if any.
  package var path: String?
  /// Its contents in words, if they were requested.
  package var text: String?
}

extension RunContext {
  /// Warns that others can sign and log in with the certified key.
  package func warnOfRecoverableKey(of certificate: Certificate) {
    if certificate.hasRecoverableKey { warn(Message("warning.recoverable-key")) }
  }
}

/// `cert`: reads the certificate of the holder. It takes the PIN.
package struct CertificateJob: CardJob {
  package let pin: HeldCode
  package let access: HolderAccess

  package init(pin: HeldCode, access: HolderAccess) {
    self.pin = pin
    self.access = access
  }

  package func run(on card: Conversation, in session: RunContext) throws(Failure)
    -> HolderCertificate
  {
    var pin = try pin.code()
    let certificate = try card.perform(in: session) { (card, random, session) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      return try mapError(try verified.readCertificate()) { Failure.card($0) }
    }
    return HolderCertificate(
      certificate: certificate, hasEnded: certificate.notAfter < session.time)
  }
}
