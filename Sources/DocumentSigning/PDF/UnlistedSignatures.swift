internal import Primitives

/// Signatures in the bytes of a PDF that no field of its newest revision has: a later revision replaced the form, or goes
/// around them. They are looked for by ByteRange, because a signature stands in clear in each revision that has it (ISO
/// 32000-2 §12.8.1).
struct UnlistedSignatures {
  private let file: PDFFile
  /// The ranges of the signatures that are judged, and of those that are none of a person.
  private let known: [[Int]]

  init(_ file: PDFFile, beside signatures: [EmbeddedSignature]) {
    self.file = file
    // Usage rights of a reader, and the code of an encrypted file (ISO 32000-2 §12.8.2.3, ISO/TS 32004).
    let others = [
      file.root["Perms"]["UR3"], file.root["Perms"]["UR"], file.trailer["AuthCode"],
    ]
    known =
      signatures.map(\.ranges)
      + others.compactMap { $0["ByteRange"].items?.map { $0.integer ?? -1 } }
  }

  /// True if there is one at least.
  var isThere: Bool {
    let (bytes, word) = (file.bytes, [UInt8]("/ByteRange".utf8))
    var place = 0
    while place < bytes.count - word.count {
      defer { place += 1 }
      guard bytes[place] == word[0], bytes[place + 1] == word[1],
        bytes[place...].starts(with: word)
      else { continue }
      var reader = PDFValueReader(bytes, at: place + word.count)
      reader.skipSpace()
      guard let numbers = try? reader.value().items?.compactMap(\.integer), isSignature(numbers)
      else { continue }
      if !known.contains(numbers) { return true }
    }
    return false
  }

  /// True if the ranges leave out one hexadecimal string, and not of zeros alone: a file inside of this one counts from
  /// another place.
  private func isSignature(_ numbers: [Int]) -> Bool {
    let bytes = file.bytes
    guard numbers.count == 4, numbers[0] == 0,
      numbers.allSatisfy({ (0...bytes.count).contains($0) }),
      numbers[1] < numbers[2] - 2, numbers[2] <= bytes.count - numbers[3],
      bytes[numbers[1]] == UInt8(ascii: "<"), bytes[numbers[2] - 1] == UInt8(ascii: ">")
    else { return false }
    let digits = bytes[numbers[1] + 1..<numbers[2] - 1]
    return digits.allSatisfy { UInt8(hexadecimalDigit: $0) != nil || PDFValueReader.isSpace($0) }
      && digits.contains { UInt8(hexadecimalDigit: $0).map { $0 != 0 } == true }
  }
}
