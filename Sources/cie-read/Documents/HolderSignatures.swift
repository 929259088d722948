import CIECard
import CardWork
import Messages
import Primitives

extension RunContext {
  /// Warns that others can sign and log in with the certified key.
  func warnOfRecoverableKey(of certificate: Certificate) {
    if certificate.hasRecoverableKey { warn(Message("warning.recoverable-key")) }
  }
}

/// Signatures of the holder, in the order of the inputs.
struct HolderSignatures: Sendable {
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
struct SignatureJob: Sendable {
  let digests: [Digest]
  let pin: HeldCode
  let access: HolderAccess

  func run(on card: Conversation, in context: RunContext) throws(Failure)
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
