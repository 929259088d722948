internal import CIECard

enum CardInput: Sendable {
  /// A hash value: the card gets its DigestInfo, and the signature is verified for that digest.
  case digest(Digest)
  /// Bytes as they are.
  case raw(RawSigningInput)
}
