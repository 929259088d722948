internal import CIECard

/// One insertion of a card into a reader, with a unique number.
struct Insertion: Equatable, Sendable {
  let reader: String
  let number: Int
}

enum Token: Equatable, Sendable {
  case unknown
  /// A CIE, by its services number.
  case identityCard(ServicesNumber)
  /// A card that is not a CIE, or does not answer.
  case other
}

enum HeldCard: Sendable {
  /// No card is held, or it is in use.
  case none
  case present(Insertion)
  /// It was removed, and released.
  case lost(Insertion)
}

enum CardInput: Sendable {
  /// A hash value: the card gets its DigestInfo, and the signature is verified for that digest.
  case digest(Digest)
  /// Bytes as they are.
  case raw(RawSigningInput)
}
