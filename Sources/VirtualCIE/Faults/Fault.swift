// Deliberately written apart from CIECard.

/// Something that a software card does wrong on purpose.
public enum Fault: Sendable, Equatable {
  /// One bit of the response MAC is flipped.
  case wrongMAC
  /// A protected command is answered without protection.
  case strippedProtection
  /// The response MAC is over the counter of the response before.
  case staleCounter
  /// Only the first bytes of the response come; 1 byte is not even a status word.
  case truncatedAnswer(length: Int)
  /// This many bytes before the status word are missing.
  case cutData(count: Int)
  /// From now on the card signs another hash in device authentication.
  case wrongAuthenticationSignature
  /// From now on the holder's key signs another text.
  case wrongSignature
  /// From now on a Diffie–Hellman value gives the secret away.
  case trivialDHValue(TrivialDHValue)
  /// From now on every answer is this many bytes and 61xx.
  case endless61xx(dataLength: Int)
  /// From now on every answer is 6Cxx, each time with another length.
  case endless6Cxx
  /// The card is gone, until the next reset.
  case cardRemoved
  /// The card stops answering, until the next reset.
  case cardMute
  /// The answer takes this much longer.
  case delay(milliseconds: Int)
  /// The command is not executed; this status word comes, protected as the command was.
  case statusWord(UInt16)
  /// The command is not executed; this status word comes without protection.
  case bareStatusWord(UInt16)

  /// Which Diffie–Hellman value is trivial.
  public enum TrivialDHValue: String, Sendable, CaseIterable {
    /// g = 1.
    case generatorOne = "generator-one"
    /// g = p − 1.
    case generatorMinusOne = "generator-minus-one"
    /// K.ICC = 0.
    case cardValueZero = "card-value-zero"
    /// K.ICC = 1.
    case cardValueOne = "card-value-one"
    /// K.ICC = p − 1.
    case cardValueMinusOne = "card-value-minus-one"
  }

  /// Whether it goes on after the command at which it began.
  var isLasting: Bool {
    switch self {
    case .wrongAuthenticationSignature, .wrongSignature, .trivialDHValue, .endless61xx,
      .endless6Cxx, .cardRemoved, .cardMute:
      true
    case .wrongMAC, .strippedProtection, .staleCounter, .truncatedAnswer, .cutData, .delay,
      .statusWord, .bareStatusWord:
      false
    }
  }
}
