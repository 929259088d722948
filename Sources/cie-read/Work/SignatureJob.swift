import CIECard

/// Signatures of the holder, in the order of the inputs.
struct HolderSignatures: Sendable {
  /// One of them.
  struct Signed: Sendable {
    let assertion: SignedAssertion
    /// The name of the input: a path, else its number.
    var input: String
    /// The file to which the signature was written, if any; `-` for standard output.
    var path: String?
  }

  var list: [Signed]
}

/// `sign`: signs hash values, all of them after one VERIFY.
struct SignatureJob: CardJob {
  let digests: [Digest]
  let pin: HeldCode
  let access: HolderAccess

  func run(on card: Conversation, in session: Session) throws(Failure) -> HolderSignatures {
    var pin = try pin.code()
    return try card.perform(in: session) { (card, random, session) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      var signed: [HolderSignatures.Signed] = []
      do throws(CardError) {
        for (number, digest) in digests.enumerated() {
          signed.append(.init(assertion: try verified.sign(digest), input: String(number)))
        }
      } catch { throw .card(error) }
      return HolderSignatures(list: signed)
    }
  }
}
