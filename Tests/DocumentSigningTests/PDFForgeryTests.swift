import DocumentSigning
import Primitives
import TestSupport
import Testing

/// Known attacks on signed PDFs, made from files that the module itself signed: each has
/// its reason, and no changed file is proved.
@Suite struct PDFForgeryTests {
  private let file: [UInt8]

  init() throws {
    // Zeros behind the signature, as most programs leave them.
    var particulars = PDFParticulars()
    particulars.room = 4096
    file = try Signed.pdf(SamplePDF().bytes, particulars)
  }

  private func place(of text: String, in file: [UInt8], last: Bool = false) throws -> Int {
    let mark = [UInt8](text.utf8)
    let indices = file.indices.filter { file[$0...].starts(with: mark) }
    return try (last ? indices.last : indices.first).unwrapped()
  }

  /// The file with a text in the place of another one of the same length.
  private func replacing(_ old: String, _ new: String) throws -> [UInt8] {
    let start = try place(of: old, in: file, last: true)
    var changed = file
    changed.replaceSubrange(start..<start + old.utf8.count, with: new.utf8)
    return changed
  }

  /// The first point of the first signature that is false.
  private func falsehood(of file: [UInt8]) throws -> SignatureReport.Verdict? {
    try Signed.judge(file).signatures.first?.points.map { $0.verdict }
      .first { if case .false = $0 { true } else { false } }
  }

  private func fault(of file: [UInt8]) throws -> SignatureReport.Verdict? {
    try Signed.judge(file).signatures.first?.points.map { $0.verdict }.first { $0 != .proved }
  }

  /// An update that somebody appends: a page with other contents.
  private func updated(_ file: [UInt8], _ object: String, _ trailer: String = "") throws -> [UInt8]
  {
    let old = try place(of: "startxref", in: file, last: true)
    let digits = file[(old + 10)...].prefix { $0 != 0x0A }
    let start = file.count
    let number = String(object.prefix { $0 != " " })
    let table = start + object.utf8.count + 1
    let offset = String(repeating: "0", count: 10 - String(start).count) + String(start)
    return file + [UInt8](object.utf8) + [0x0A]
      + [UInt8](
        "xref\n\(number) 1\n\(offset) 00000 n\r\ntrailer\n<</Size 9 /Root 1 0 R \(trailer) /Prev "
          .utf8)
      + digits + [UInt8](">>\nstartxref\n\(table)\n%%EOF\n".utf8)
  }

  /// Incremental saving attack, and the classes that need it (EAA, SSA, shadow): what came later is
  /// counted, and what was signed comes out.
  @Test func laterUpdates() throws {
    let page = "3 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>\nendobj"
    // A line end may belong to the end-of-file marker.
    for end in [[0x0A], [0x0D], [0x0D, 0x0A]] as [[UInt8]] {
      #expect(try Signed.judge(file + end).outcome == .proved)
    }
    for later in [
      try updated(file, page), file + [0x20, 0x20], file + [0x0A, 0x0A], file + [0x0D, 0x0A, 0x0D],
      file + [0x61],
    ] {
      let report = try Signed.judge(later)
      #expect(report.outcome == .provedForItsRevision(laterBytes: later.count - file.count))
      let signature = try #require(report.signatures.first)
      #expect(try DocumentJudge.signedRevision(of: ByteSource(later), signature) == file)
    }
  }

  /// Programs note the time of their change in the document information; a changed title is no such note.
  @Test func documentInformation() throws {
    let document = SamplePDF(
      others: ["<</Title (Uno) /ModDate (D:2025)>>"], trailer: "/Info 5 0 R"
    ).bytes
    let signed = try Signed.pdf(document)
    for (information, later) in [
      ("<</Title (Uno) /ModDate (D:2026) /Producer (Altro)>>", LaterContent.signatures),
      ("<</Title (Due) /ModDate (D:2025)>>", .other), ("<</ModDate (D:2025)>>", .other),
    ] {
      let update = try updated(signed, "5 0 obj\n\(information)\nendobj", "/Info 5 0 R")
      #expect(try Signed.judge(update).signatures.map { $0.laterContent } == [.other])
      let both = try Signed.judge(Signed.pdf(update, by: .anna))
      #expect(both.signatures.map { $0.laterContent } == [later, .none])
    }
  }

  /// Universal signature forgery: parts of the signature are made unreadable.
  @Test func partsOfTheSignatureTakenAway() throws {
    #expect(try falsehood(of: replacing("/ByteRange", "/ByteRangf")) == .false(.coverage(.ranges)))
    #expect(
      try falsehood(of: replacing("/Contents <30", "/Contentt <30")) == .false(.coverage(.gap)))
    #expect(
      try falsehood(of: replacing("/ByteRange [0000000000", "/ByteRange [null      "))
        == .false(.coverage(.ranges)))
    #expect(
      try Signed.judge(replacing("/ETSI.CAdES.detached", "/ETSI.CAdES.detachef")).signatures.first?[
        .attributes] == .couldNotCheck(.unsupportedFormat("ETSI.CAdES.detachef")))
  }

  /// Ranges that leave out more than the signature (signature wrapping), begin late or end outside.
  @Test func otherRanges() throws {
    let start = try place(of: "/ByteRange [", in: file, last: true) + 12
    let numbers = String(decoding: file[start..<start + 43], as: UTF8.self)
      .split(separator: " ").compactMap { Int($0) }
    func changed(_ change: (inout [Int]) -> Void) -> [UInt8] {
      var own = numbers
      change(&own)
      let text = own.map { number in
        String(repeating: "0", count: 10 - String(number).count) + String(number)
      }.joined(separator: " ")
      var file = file
      file.replaceSubrange(start..<start + 43, with: text.utf8)
      return file
    }
    let faults: [((inout [Int]) -> Void, CoverageFault)] = [
      ({ $0[0] = 1 }, .beginning), ({ $0[1] = 0 }, .beginning), ({ $0[1] -= 1 }, .gap),
      ({ $0[1] += 1 }, .gap),
      (
        {
          $0[2] += 1; $0[3] -= 1
        }, .gap
      ), ({ $0[2] -= 1 }, .gap),
      ({ $0[3] += 1 }, .ranges), ({ $0[3] = 0 }, .ranges), ({ $0[2] = $0[1] }, .ranges),
      ({ $0[3] -= 20 }, .revision), ({ $0[3] = 1 }, .revision),
    ]
    // Only the last line end is left out: a document, but not the signed one.
    #expect(try falsehood(of: changed { $0[3] -= 1 }) == .false(.contentsAltered))
    for (index, (change, fault)) in faults.enumerated() {
      #expect(
        try Signed.judge(changed(change)).signatures.first?[.coverage] == .false(.coverage(fault)),
        "\(index)")
    }
  }

  /// Other things in the gap than one hexadecimal string.
  @Test func otherContentsOfTheGap() throws {
    let open = try place(of: "/Contents <30", in: file, last: true) + 10
    let close = try place(of: "> /M ", in: file, last: true)
    for (index, text) in [(open + 1, " "), (close - 1, " "), (close - 1, "\n"), (close - 40, "><")]
    {
      var changed = file
      changed.replaceSubrange(index..<index + text.utf8.count, with: text.utf8)
      #expect(!Signed.isProved(changed))
    }
    var lower = file
    let letter = try #require((open..<close).first { (0x41...0x46).contains(file[$0]) })
    lower[letter] |= 0x20
    #expect(try falsehood(of: lower) == .false(.coverage(.gap)))
    var padded = file
    padded[close - 1] = UInt8(ascii: "1")
    #expect(try fault(of: padded) == .couldNotCheck(.bytesBehind))
  }

  /// A CMS signature that is right, but made for other things than a PDF.
  @Test func attachedSignatureInTheGap() throws {
    let open = try place(of: "/Contents <30", in: file, last: true) + 11
    var changed = file
    let digits = [UInt8](try Signed.cms(isAttached: true).hexadecimal.utf8)
    changed.replaceSubrange(open..<open + digits.count, with: digits)
    let old = try place(of: "> /M ", in: changed, last: true)
    for index in open + digits.count..<old { changed[index] = UInt8(ascii: "0") }
    #expect(try fault(of: changed) == .couldNotCheck(.notDetached))
    let detached = [UInt8](try Signed.cms(isAttached: false).hexadecimal.utf8)
    changed.replaceSubrange(open..<open + detached.count, with: detached)
    for index in open + detached.count..<old { changed[index] = UInt8(ascii: "0") }
    #expect(try fault(of: changed) == .couldNotCheck(.timeInside))
  }

  /// Every byte of the file, and of its signature.
  @Test func everyChangeOfOneByte() throws {
    let file = try Signed.pdf(SamplePDF().bytes)
    #expect(Signed.isProved(file))
    for index in file.indices {
      var changed = file
      // The other case of a letter: in hexadecimal digits, the same value.
      changed[index] ^= 0x20
      #expect(!Signed.isProved(changed), "byte \(index)")
    }
  }

  @Test func everyPrefix() {
    for length in stride(from: 0, to: file.count, by: file.count > 4000 ? 7 : 1) {
      #expect(!Signed.isProved([UInt8](file.prefix(length))))
    }
    for length in file.count - 600..<file.count {
      #expect(!Signed.isProved([UInt8](file.prefix(length))))
    }
  }
}
