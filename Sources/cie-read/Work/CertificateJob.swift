import CIECard

/// The certificate of the holder.
struct HolderCertificate: Sendable {
  let certificate: Certificate
  /// True if it has expired, because a card of fifty years outlives it.
  let hasEnded: Bool
  /// The file to which it was written, if any.
  var path: String?
  /// Its contents in words, if they were requested.
  var text: String?
}

/// `cert`: reads the certificate of the holder. It takes the PIN.
struct CertificateJob: CardJob {
  let pin: HeldCode
  let access: HolderAccess

  func run(on card: Conversation, in session: Session) throws(Failure) -> HolderCertificate {
    var pin = try pin.code()
    let certificate = try card.perform(in: session) { (card, random, session) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      return try Failure.onCard { () throws(CardError) in try verified.readCertificate() }
    }
    return HolderCertificate(
      certificate: certificate, hasEnded: certificate.notAfter < session.time)
  }
}
