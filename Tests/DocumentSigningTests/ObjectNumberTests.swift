import Testing

@testable import DocumentSigning

/// An update never gives out a number that an object of the file has, listed or not.
@Suite struct ObjectNumberTests {
  /// A file whose cross-reference stream does not list itself and is at or above Size.
  private static func stream(number: Int, size: Int = 5, before: String = "") -> [UInt8] {
    var file = [UInt8]("%PDF-1.7\n".utf8)
    var rows: [UInt8] = [0, 0, 0, 0]
    for (index, object) in [
      "<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R] /Count 1>>",
      "<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R>>",
      "<</Length 1>>\nstream\nn\nendstream",
    ].enumerated() {
      rows += [1, UInt8(file.count >> 8), UInt8(file.count & 0xFF), 0]
      file += [UInt8]("\(index + 1) 0 obj\n\(object)\nendobj\n".utf8)
    }
    file += [UInt8](before.utf8)
    let start = file.count
    let head = "<</Type /XRef /W [1 2 1] /Size \(size) /Index [0 5] /Length 20 /Root 1 0 R>>"
    file += [UInt8]("\(number) 0 obj\n\(head)\nstream\n".utf8) + rows
    return file + [UInt8]("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8)
  }

  /// All numbers in front of `0 obj`, by the lines of these files.
  private func numbers(_ bytes: some Sequence<UInt8>) -> [Int] {
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x2E }, as: UTF8.self)
    return text.matches(of: /(\d+)[ \t\r\n]+0[ \t\r\n]*obj/).compactMap { Int($0.output.1) }
  }

  static let files: [(name: String, bytes: [UInt8])] = [
    ("the number is Size", stream(number: 5)),
    ("a number behind Size", stream(number: 9)),
    ("a further object", stream(number: 5, before: "7 0 obj\nnull\nendobj\n")),
    ("white space", stream(number: 5, before: "7\t \n0\r\nobj null endobj\n")),
    ("another one's limit", stream(number: 2_000_001)),
    ("a table", SamplePDF(ending: "\n%5 0 obj").bytes),
  ]

  @Test(arguments: files.indices) func `new numbers are new`(_ index: Int) throws {
    let (name, file) = Self.files[index]
    let signed = try Signed.pdf(file)
    #expect(signed.starts(with: file))
    let old = Set(numbers(file)).subtracting(1...4)
    let new = numbers(signed.dropFirst(file.count))
    #expect(old.isDisjoint(with: new), "\(name): \(old), \(new)")
    #expect(Signed.isProved(signed))
    try PDFJudges.expectSound(signed)
  }

  /// Readers repair a file with such numbers.
  @Test(arguments: [2_000_001, 3_000_000, 8_388_606, 900_000_000])
  func `a Size beyond the limits of readers`(_ size: Int) {
    let file = Self.stream(number: 5, size: size)
    #expect(throws: DocumentError.refused(.structure("Size"))) { try Signed.pdf(file) }
  }

  @Test func `a chance number does not end the numbers`() throws {
    let file = Self.stream(number: 1_999_999)
    #expect(throws: DocumentError.refused(.structure("Size"))) { try Signed.pdf(file) }
  }
}
