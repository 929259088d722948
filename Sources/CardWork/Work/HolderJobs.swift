package import CIECard
import Messages

package struct HolderCertificate: Sendable {
  package let certificate: Certificate
  /// True if it has expired, because a card of fifty years outlives it; false by a clock that is wrong.
  package let hasEnded: Bool
  /// The error of a clock by which it is neither valid nor expired.
  package let clockProblem: Diagnosis?
  /// The evidence for another machine, if that was asked for.
  package var portable: CardEvidence?
}

extension RunContext {
  /// Warns that others can sign and log in with the certified key.
  package func warnOfRecoverableKey(of certificate: Certificate) {
    if certificate.hasRecoverableKey { warn(Message("warning.recoverable-key")) }
  }
}

/// `cert`: reads the certificate of the holder. It takes the PIN.
package struct CertificateJob: Sendable {
  let pin: HeldCode
  let access: HolderAccess
  /// The evidence to fill and sign for another machine; `nil` for none.
  let portable: CardEvidence?

  package init(pin: HeldCode, access: HolderAccess, portable: CardEvidence? = nil) {
    self.pin = pin
    self.access = access
    self.portable = portable
  }

  package func run(on card: Conversation, in context: RunContext) throws(Failure)
    -> HolderCertificate
  {
    var pin = try pin.code()
    let (certificate, portable) = try card.perform(in: context) {
      (card, random, context) throws(Failure) in
      try read(card, &pin, random: &random, in: context)
    }
    let problem = context.present.problem(issued: [certificate.notBefore])
    return HolderCertificate(
      certificate: certificate, hasEnded: problem == nil && certificate.notAfter < context.time,
      clockProblem: problem, portable: portable)
  }

  private func read(
    _ card: consuming SessionCard, _ pin: inout AwaitedCode, random: inout SessionRandom,
    in context: RunContext
  ) throws(Failure) -> (Certificate, CardEvidence?) {
    guard var evidence = portable else {
      var verified = try card.verified(with: &pin, access, random: &random, in: context)
      return (try mapError(try verified.readCertificate()) { Failure.card($0) }, nil)
    }
    var card = card
    // In clear, before the secure channel.
    try mapError(try card.gatherEvidence(.servicesNumber, into: &evidence)) { Failure.card($0) }
    var verified = try card.verified(with: &pin, access, random: &random, in: context)
    do throws(CardError) {
      try verified.sign(&evidence)
      return (try verified.readCertificate(), evidence)
    } catch { throw .card(error) }
  }
}

/// Signatures of the holder, in the order of the inputs.
package struct HolderSignatures: Sendable {
  package struct Signed: Sendable {
    package let assertion: SignedAssertion
    /// The name of the input: a path, else its number.
    package var input: String
    /// The file to which the signature was written, if any; `-` for standard output.
    package var path: String?
  }

  package var list: [Signed]
}

/// `sign`: signs hash values, all of them after one VERIFY.
package struct SignatureJob: Sendable {
  let digests: [Digest]
  let pin: HeldCode
  let access: HolderAccess

  package init(digests: [Digest], pin: HeldCode, access: HolderAccess) {
    self.digests = digests
    self.pin = pin
    self.access = access
  }

  package func run(on card: Conversation, in context: RunContext) throws(Failure)
    -> HolderSignatures
  {
    var pin = try pin.code()
    return try card.perform(in: context) { (card, random, context) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: context)
      var signed: [HolderSignatures.Signed] = []
      for (number, digest) in digests.enumerated() {
        let assertion = try mapError(try verified.sign(digest)) { Failure.card($0) }
        signed.append(.init(assertion: assertion, input: String(number)))
      }
      if let first = signed.first {
        context.warnOfRecoverableKey(of: first.assertion.certificate)
      }
      return HolderSignatures(list: signed)
    }
  }
}
