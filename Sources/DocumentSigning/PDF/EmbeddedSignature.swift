internal import Primitives

/// Ways in which the byte range of a PDF's signature is wrong (ISO 32000-2 §12.8.1).
public enum CoverageFault: Error, Sendable, Equatable {
  /// ByteRange is absent or not two ranges in order inside the file.
  case ranges
  /// The first range does not begin with the file.
  case beginning
  /// The gap is not exactly the hexadecimal string of this signature.
  case gap
  /// The covered bytes alone are no PDF with this signature.
  case revision
}

/// A signature of a PDF as it stands in the file: its field, its bytes, what it covers (ISO 32000-2
/// §12.8.1).
struct EmbeddedSignature {
  let field: String
  /// SubFilter; empty if it is absent.
  let format: String
  /// The signature, with the rest of its room.
  let contents: [UInt8]
  /// M, if it can be read: the signer's word.
  let claimedTime: UTCTime?
  let coverage: Result<Coverage, CoverageFault>

  /// The content of the document after the signed revision.
  var laterContent = LaterContent.none

  /// True for a time stamp of the document (ISO 32000-2 §12.8.5).
  var isTimeStamp: Bool { format == "ETSI.RFC3161" }
  /// The end of the covered bytes; nil if the coverage is wrong.
  var end: Int? { (try? coverage.get())?.end }
  /// The place of the hexadecimal digits of Contents; nil if the coverage is wrong.
  var contentsStart: Int? { (try? coverage.get()).map { $0.ranges[0].upperBound + 1 } }
  /// The signature, taken apart; nil if it cannot be.
  var signedData: SignedData? { try? SignedData(ByteSource(contents), mayBePadded: true) }
  /// The signer of a detached signature; a PDF's has one.
  var signer: SignerInfo? {
    guard let data = signedData, data.content == nil, data.signers.count == 1 else { return nil }
    return data.signers.first
  }

  /// The covered bytes.
  struct Coverage {
    let ranges: [Range<Int>]
    /// The end of what is covered, and of the revision that was signed.
    let end: Int
  }

  /// The signatures in the fields of a document as it is now.
  ///
  /// - Throws: `PDFError`.
  static func all(
    in pdf: ByteSource, password: [UInt8] = []
  ) throws(PDFError) -> [EmbeddedSignature] {
    let file = try PDFFile.open(PreparedPDF.read(pdf), password: password, isStrict: false)
    let signatures = SignatureField.all(of: file).compactMap { field in
      field.signature.map { EmbeddedSignature(field.name, $0, in: file) }
    }
    try file.check()
    return signatures.map { $0.checkingRevision(of: file) }
  }

  private init(_ field: String, _ signature: PDFObject, in file: PDFFile) {
    self.field = field
    format = signature["SubFilter"].name ?? ""
    contents = signature["Contents"].string ?? []
    claimedTime = signature["M"].string.flatMap { Self.time($0) }
    let numbers = signature["ByteRange"].items?.map { $0.integer ?? -1 } ?? []
    do throws(CoverageFault) {
      coverage = .success(try Self.coverage(numbers, contents, file.bytes))
    } catch { coverage = .failure(error) }
  }

  private init(_ other: EmbeddedSignature, _ coverage: Result<Coverage, CoverageFault>) {
    (field, format, contents) = (other.field, other.format, other.contents)
    (claimedTime, self.coverage) = (other.claimedTime, coverage)
  }

  /// Two ranges from the beginning of the file, with nothing between them but the signature's own
  /// hexadecimal string: no spaces, no comment, no second string.
  private static func coverage(
    _ numbers: [Int], _ contents: [UInt8], _ bytes: [UInt8]
  ) throws(CoverageFault) -> Coverage {
    guard numbers.count == 4, numbers.allSatisfy({ (0...bytes.count).contains($0) }),
      numbers[1] < numbers[2], numbers[2] <= bytes.count - numbers[3], numbers[3] > 0
    else { throw .ranges }
    guard numbers[0] == 0, numbers[1] > 0 else { throw .beginning }
    let gap = bytes[numbers[1]..<numbers[2]]
    guard gap.count >= 2, gap.first == UInt8(ascii: "<"), gap.last == UInt8(ascii: ">") else {
      throw .gap
    }
    let digits = gap.dropFirst().dropLast()
    // One spelling of each byte: digits of both cases, as no program writes them, were changed.
    let cases = Set(digits.compactMap { $0 >= 0x41 ? $0 & 0x20 : nil })
    guard !contents.isEmpty, digits.count == 2 * contents.count, cases.count <= 1,
      zip(0..., contents).allSatisfy({ index, byte in
        let high = UInt8(hexadecimalDigit: digits[digits.startIndex + 2 * index])
        let low = UInt8(hexadecimalDigit: digits[digits.startIndex + 2 * index + 1])
        guard let high, let low else { return false }
        return high << 4 | low == byte
      })
    else { throw .gap }
    let end = numbers[2] + numbers[3]
    return Coverage(ranges: [0..<numbers[1], numbers[2]..<end], end: end)
  }

  /// Checks that the covered bytes alone are a PDF with this signature, if more bytes follow them.
  private func checkingRevision(of file: PDFFile) -> EmbeddedSignature {
    guard case .success(let coverage) = coverage, coverage.end < file.bytes.count else {
      return self
    }
    let isThere: Bool
    var checked = self
    do throws(PDFError) {
      let revision = try PDFFile.open(
        [UInt8](file.bytes.prefix(coverage.end)), password: file.password, isStrict: false)
      isThere = SignatureField.all(of: revision).contains { field in
        field.name == self.field && field.signature?["Contents"].string == contents
      }
      checked.laterContent = LaterContent(from: revision, to: file)
      try revision.check()
    } catch { return EmbeddedSignature(self, .failure(.revision)) }
    return isThere ? checked : EmbeddedSignature(self, .failure(.revision))
  }

  /// `D:YYYYMMDDHHmmSS` and the difference to UTC (ISO 32000-2 §7.9.4); nil for shorter dates.
  private static func time(_ text: [UInt8]) -> UTCTime? {
    guard text.starts(with: "D:".utf8), text.count >= 16,
      let local = UTCCalendar.seconds(of: text[2..<16]), let zone = zone(text[16...])
    else { return nil }
    return UTCTime(seconds: local - zone)
  }

  /// `Z`, or `+HH'mm'` with or without the last apostrophe; in seconds.
  private static func zone(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let sign = text.first, sign != UInt8(ascii: "Z") else { return 0 }
    guard [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) else { return nil }
    let digits = text.dropFirst().filter { $0 != UInt8(ascii: "'") }.map { Int64($0) - 0x30 }
    guard digits.count == 4 || digits.count == 2, digits.allSatisfy({ (0...9).contains($0) }) else {
      return nil
    }
    let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
    let offset = (digits[0] * 10 + digits[1]) * 3600 + minutes * 60
    return sign == UInt8(ascii: "+") ? offset : -offset
  }
}
