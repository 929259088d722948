package import CIECard

/// Signatures of the holder, in the order of the inputs.
package struct HolderSignatures: Sendable {
  /// One of them.
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
package struct SignatureJob: CardJob {
  package let digests: [Digest]
  package let pin: HeldCode
  package let access: HolderAccess

  package init(digests: [Digest], pin: HeldCode, access: HolderAccess) {
    self.digests = digests
    self.pin = pin
    self.access = access
  }

  package func run(on card: Conversation, in session: RunContext) throws(Failure)
    -> HolderSignatures
  {
    var pin = try pin.code()
    return try card.perform(in: session) { (card, random, session) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      var signed: [HolderSignatures.Signed] = []
      do throws(CardError) {
        for (number, digest) in digests.enumerated() {
          signed.append(.init(assertion: try verified.sign(digest), input: String(number)))
        }
      } catch { throw .card(error) }
      if let first = signed.first {
        session.warnOfRecoverableKey(of: first.assertion.certificate)
      }
      return HolderSignatures(list: signed)
    }
  }
}
