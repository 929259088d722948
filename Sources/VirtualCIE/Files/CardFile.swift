// Deliberately written apart from CIECard: the card's files.

/// An elementary file with its access rule.
struct CardFile {
  /// File identifier.
  let identifier: UInt16
  /// Short file identifier, 1 to 30; nil when there is none.
  let shortIdentifier: UInt8?
  /// The whole content, zero padding included.
  let content: [UInt8]
  /// Who may read it.
  var access: Access = .free

  /// Access rules of READ BINARY.
  enum Access {
    /// Anybody, plain or under secure messaging.
    case free
    /// After the PIN, under secure messaging.
    case holder
    /// In a channel of PACE or basic access control.
    case document
    /// In a channel of PACE.
    case pace
    /// Nobody: terminal authentication is needed, which this card does not do.
    case never
  }

  /// File control parameters (IAS ECC §3.3.4): size, kind, identifier, short identifier, state, access by radio.
  func controlParameters(tag: UInt32) -> [UInt8] {
    let size = UInt16(clamping: content.count)
    return BERObject.encode(
      tag,
      BERObject.encode(0x80, [UInt8(size >> 8), UInt8(truncatingIfNeeded: size)]),
      BERObject.encode(0x82, [0x01]),
      BERObject.encode(0x83, [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)]),
      BERObject.encode(0x88, shortIdentifier.map { [$0 << 3] } ?? []),
      BERObject.encode(0x8A, [0x05]),
      BERObject.encode(0xA1, BERObject.encode(0x9C, [0x01, access.condition])))
  }
}

extension CardFile.Access {
  /// The security condition byte of READ: nobody in particular, or the environment that must be satisfied
  /// (IAS ECC §4.2).
  fileprivate var condition: UInt8 {
    switch self {
    case .free: 0x00
    case .holder: 0xD2
    case .document, .pace: 0xE1
    case .never: 0xFF
    }
  }
}
