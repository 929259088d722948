/// Why an answer to the card's call holds no code. The answer itself is not repeated: it may hold a secret.
public enum LoginCodeProblem: Error, Sendable, Hashable {
  /// Nothing, or white space alone.
  case empty
  /// More than 1024 bytes.
  case tooLong
  /// Something other than `codice:` at the start.
  case noMarker
  /// Something other than ASCII digits behind the marker.
  case notDigits
  /// Digits, but not 16.
  case wrongLength(Int)
}

/// The code that the identity provider gives for a login with the card.
///
/// Whoever has it is logged in, so it is neither copied nor printed: it can only be used up, once.
public struct LoginCode: ~Copyable, Sendable {
  /// The longest answer that is looked at, in bytes.
  public static let bodyLimit = 1 << 10

  /// 16 decimal digits.
  let digits: String

  /// Takes the code out of an answer that is, between ASCII white space, `codice:` and 16 digits and nothing else.
  ///
  /// Known clients take whatever follows the colon; this one does not, as it goes into a URL.
  public init(responseBody: [UInt8]) throws(LoginCodeProblem) {
    guard responseBody.count <= Self.bodyLimit else { throw .tooLong }
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    var text = responseBody[...].drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    guard !text.isEmpty else { throw .empty }
    let marker = "codice:".utf8
    guard text.starts(with: marker) else { throw .noMarker }
    let digits = text.dropFirst(marker.count)
    guard digits.allSatisfy(ASCII.isDigit) else { throw .notDigits }
    guard digits.count == 16 else { throw .wrongLength(digits.count) }
    self.digits = String(decoding: digits, as: UTF8.self)
  }
}
