import CIECard
import DocumentSigning
import Pictures
import Primitives
import TestSupport
import Testing

/// Visible marks, seen by Poppler: ink inside the expected rectangle, the page elsewhere as before.
@Suite struct VisibleMarkTests {
  /// A page whose seen part is 300 points wide and 200 high, before it is turned.
  private static func page(_ rotation: Int, isInherited: Bool, isCropped: Bool) -> SamplePDF {
    let attributes =
      "/Rotate \(rotation) "
      + (isCropped
        ? "/MediaBox [-50 1000 500 40] /CropBox [310.5 300 10.5 100]"
        : "/MediaBox [-20 30 280 230]")
    var document = SamplePDF()
    document.media = isInherited ? "" : attributes
    document.pages = isInherited ? attributes : ""
    document.content = "1 0 0 RG 4 w -100 -100 m 600 900 l S"
    return document
  }

  private func particulars(_ mark: VisibleMark) -> PDFParticulars {
    var particulars = PDFParticulars()
    particulars.mark = mark
    return particulars
  }

  private static let places: [(VisibleMark.Place, Raster.Area)] = [
    (.topLeft, .init(left: 36, top: 36, width: 100, height: 40)),
    (.bottomRight, .init(right: 36, bottom: 36, width: 100, height: 40)),
    (.topRight, .init(right: 36, top: 36, width: 100, height: 40)),
    (.bottomLeft, .init(left: 36, bottom: 36, width: 100, height: 40)),
    (.top, .init(top: 36, width: 100, height: 40)),
    (.left, .init(left: 36, width: 100, height: 40)),
    (.center, .init(width: 100, height: 40)),
    (.right, .init(right: 36, width: 100, height: 40)),
    (.bottom, .init(bottom: 36, width: 100, height: 40)),
    (.at(x: 20.5, y: 70), .init(left: 20.5, bottom: 70, width: 100, height: 40)),
    // Moved so that all of it is seen.
    (.at(x: -9, y: 1e300), .init(left: 0, top: 0, width: 100, height: 40)),
    (.at(x: 1e9, y: .nan), .init(right: 0, bottom: 0, width: 100, height: 40)),
  ]

  @Test(arguments: [0, 90, 180, 270, -90, 450], [0, 1, 2, 3])
  func uprightAndInside(rotation: Int, kind: Int) throws {
    let document = Self.page(rotation, isInherited: kind & 1 != 0, isCropped: kind & 2 != 0).bytes
    let before = try Raster(document)
    let isTurned = rotation % 180 != 0
    #expect(before.width == (isTurned ? 200 : 300) && before.height == (isTurned ? 300 : 200))
    for (place, expected) in Self.places {
      var mark = VisibleMark()
      (mark.width, mark.height, mark.place) = (100, 40, place)
      mark.image = try MarkImages.quarters
      mark.hasText = false
      let file = try Signed.pdf(document, particulars(mark))
      try PDFJudges.expectSound(file)
      let after = try Raster(file)
      let area = expected.rectangle(in: before)
      #expect(after.differences(from: before, outside: area) == 0, "\(place)")
      // The image is 32 points wide and high, in the middle; upright, red is at its upper left.
      let middle = (x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2)
      #expect(after[middle.x - 8, middle.y - 8] == [255, 0, 0], "\(place)")
      #expect(after[middle.x + 8, middle.y - 8] == [0, 255, 0], "\(place)")
      #expect(after[middle.x - 8, middle.y + 8] == [0, 0, 255], "\(place)")
    }
    try PDFJudges.expectValid(try Signed.pdf(document, particulars(VisibleMark())))
  }

  /// A person who places the mark is shown the page and the rectangle that the signature then has.
  @Test(arguments: [0, 90, 180, 270]) func markedPage(rotation: Int) throws {
    let document = Self.page(rotation, isInherited: false, isCropped: true).bytes
    var mark = VisibleMark()
    (mark.width, mark.height) = (100, 40)
    let page = try #require(try MarkedPage(of: ByteSource(document), particulars(mark)))
    let before = try Raster(document)
    #expect((page.number, page.isFixed) == (1, false))
    #expect((Int(page.width), Int(page.height)) == (before.width, before.height))
    #expect((page.markWidth, page.markHeight) == (100, 40))
    for (place, expected) in Self.places {
      let (left, bottom) = page.edges(at: place)
      let shown = Raster.Area(left: left, bottom: bottom, width: 100, height: 40)
      #expect(shown.rectangle(in: before) == expected.rectangle(in: before), "\(place)")
    }
    mark.page = .number(2)
    #expect(throws: DocumentError.refused(.noSuchPage(2))) {
      try MarkedPage(of: ByteSource(document), particulars(mark))
    }
    // A field of the document keeps its place, whichever is wanted.
    let field = SamplePDF(
      catalog: "/AcroForm <</Fields [5 0 R]>>", page: "/Annots [5 0 R] /Rotate \(rotation)",
      others: ["<</FT /Sig /T (Mia) /Type /Annot /Subtype /Widget /Rect [20 30 120 80] /F 4>>"]
    ).bytes
    mark.page = .last
    let fixed = try #require(try MarkedPage(of: ByteSource(field), particulars(mark)))
    let (left, bottom) = fixed.edges(at: .topRight)
    let seen: [Double] =
      switch rotation {
      case 90: [30, fixed.height - 120, 50, 100]
      case 180: [fixed.width - 120, fixed.height - 80, 100, 50]
      case 270: [fixed.width - 80, 20, 50, 100]
      default: [20, 30, 100, 50]
      }
    #expect(fixed.isFixed && [left, bottom, fixed.markWidth, fixed.markHeight] == seen)
  }

  /// Programs differ in the number of a page that stands in the tree twice, or that has kids, or where the count is wrong.
  @Test(arguments: [
    ("5 0 R", "<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>>", true),
    ("3 0 R", "null", false),
    ("5 0 R", "<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Kids []>>", false),
    ("5 0 R", "<</Type /Pages /Parent 2 0 R /Kids [] /Count 0>>", false),
    ("<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>>", "null", false),
  ]) func numberOfAPage(kid: String, other: String, isCertain: Bool) throws {
    let document = SamplePDF(others: [other], kids: kid).bytes
    let page = try #require(
      try MarkedPage(of: ByteSource(document), particulars(VisibleMark())))
    #expect(page.isNumberCertain == isCertain)
  }

  /// Text is there, readable, on the wanted page, and inside its rectangle.
  @Test(arguments: [0, 90, 180, 270]) func text(rotation: Int) throws {
    let document = Self.page(rotation, isInherited: false, isCropped: true).bytes
    var mark = VisibleMark()
    mark.hasFiscalCode = true
    (mark.width, mark.height) = (160, 60)
    var stated = particulars(mark)
    stated.reason = "Accetto l\u{2019}offerta \u{2013} \u{161}"
    stated.location = "Forl\u{EC}"
    let file = try Signed.pdf(document, stated)
    let (before, after) = (try Raster(document), try Raster(file))
    let area = Raster.Area(right: 36, bottom: 36, width: 160, height: 60).rectangle(in: before)
    #expect(after.differences(from: before, outside: area) == 0)
    #expect(after.differences(from: before, inside: area) > 200)
    let lines = try PDFText.lines(file)
    let time = UTCCalendar.localText(TestSigner.time.seconds)
    #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d/) != nil)
    #expect(
      lines == [
        "Electronically signed by", "mario Prova", "XXXXXX80A01H501X", time,
        "Accetto l\u{2019}offerta \u{2013} \u{161}", "Forl\u{EC}",
        "Only the signature in this file proves it",
      ])
    #expect(try PDFText.lines(Signed.pdf(document, particulars(VisibleMark()))).count == 4)
  }

  @Test func pages() throws {
    let document = SamplePDF(
      catalog: "", others: ["<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>>"], kids: "5 0 R")
    for (page, isFirst) in [
      (VisibleMark.Page.first, true), (.last, false), (.number(1), true), (.number(2), false),
    ] {
      var mark = VisibleMark()
      mark.page = page
      let file = try Signed.pdf(document.bytes, particulars(mark))
      #expect(try PDFText.lines(file, page: 1).isEmpty != isFirst)
      #expect(try PDFText.lines(file, page: 2).isEmpty == isFirst)
    }
    for number in [0, 3, -1] {
      var mark = VisibleMark()
      mark.page = .number(number)
      #expect(throws: DocumentError.refused(.noSuchPage(number))) {
        try Signed.pdf(document.bytes, particulars(mark))
      }
    }
  }

  /// An image blends with the page, and is not black where it is clear.
  @Test(arguments: MarkImages.Kind.allCases) func image(kind: MarkImages.Kind) throws {
    let document = Self.page(0, isInherited: false, isCropped: false).bytes
    var mark = VisibleMark()
    (mark.width, mark.height, mark.place) = (48, 48, .at(x: 0, y: 0))
    mark.hasText = false
    let layers = try PictureLayers(png: MarkImages.png(kind))
    #expect((layers.alpha != nil) == kind.hasAlpha)
    mark.image = .init(layers)
    let file = try Signed.pdf(document, particulars(mark))
    try PDFJudges.expectSound(file)
    let raster = try Raster(file)
    // The image covers 4 to 44 points in both directions, its halves left and right.
    let (left, right) = (raster[14, raster.height - 24], raster[34, raster.height - 24])
    #expect(near(left, kind.left) && near(right, kind.right), "\(left) \(right)")
  }

  /// Colours go through CalRGB, whose gamma is nearly that of sRGB.
  private func near(_ colour: [UInt8], _ wanted: [Int]) -> Bool {
    zip(colour, wanted).allSatisfy { abs(Int($0) - $1) <= 8 }
  }

  @Test func malformedImages() throws {
    let good = MarkImages.png(.colours)
    for file in [[], [UInt8](good.prefix(40)), [UInt8]("GIF89a".utf8)] {
      #expect(throws: PictureError.malformed) { try PictureLayers(png: file) }
    }
    var huge = good
    huge.replaceSubrange(16..<20, with: [0, 1, 0, 0])
    huge.replaceSubrange(29..<33, with: MarkImages.checksum(huge[12..<29]))
    #expect(throws: PictureError.tooLarge) { try PictureLayers(png: huge) }
  }

  /// The field that the document has gets the mark in its own place.
  @Test(arguments: [false, true]) func existingField(isKid: Bool) throws {
    let widget = "/Type /Annot /Subtype /Widget /Rect [20 30 120 80] /F 4"
    let document = SamplePDF(
      catalog: "/AcroForm <</Fields [5 0 R]>>", page: "/Annots [\(isKid ? 6 : 5) 0 R]",
      others: isKid
        ? ["<</FT /Sig /T (Mia) /Kids [6 0 R]>>", "<<\(widget) /Parent 5 0 R>>"]
        : ["<</FT /Sig /T (Mia) \(widget)>>"]
    ).bytes
    let file = try Signed.pdf(document, particulars(VisibleMark()))
    try PDFJudges.expectSound(file)
    #expect(Signed.isProved(file))
    // Poppler 22.12 looks for the value only in the widget.
    if !isKid { try PDFJudges.expectValid(file) }
    let (before, after) = (try Raster(document), try Raster(file))
    let area = Raster.Area(left: 20, bottom: 30, width: 100, height: 50).rectangle(in: before)
    #expect(after.differences(from: before, outside: area) == 0)
    #expect(after.differences(from: before, inside: area) > 100)
    for flaw in ["/Rect [0 0 0 0]", "/Rect [20 30 120 80] /F 2", "/Rect 7"] {
      let hidden = SamplePDF(
        catalog: "/AcroForm <</Fields [5 0 R]>>", page: "/Annots [5 0 R]",
        others: ["<</FT /Sig /T (Mia) /Subtype /Widget \(flaw)>>"]
      ).bytes
      #expect(throws: DocumentError.refused(.hiddenField("Mia"))) {
        try Signed.pdf(hidden, particulars(VisibleMark()))
      }
      #expect(Signed.isProved(try Signed.pdf(hidden)))
    }
  }

  @Test func earlierSignaturesAndEncryption() throws {
    let first = try Signed.pdf(SamplePDF(isStream: true).bytes)
    let both = try Signed.pdf(first, by: .anna, particulars(VisibleMark()))
    try PDFJudges.expectSound(both)
    try PDFJudges.expectValid(both, count: 2)
    let folder = try TemporaryDirectory()
    let made = try BuiltBinary(path: "/usr/bin/qpdf").run([
      "--encrypt", "", "o", "256", "--", try folder.write("plain.pdf", SamplePDF().bytes),
      folder.path("encrypted.pdf"),
    ])
    #expect(made.exitStatus == 0)
    let file = try Signed.pdf(folder.read("encrypted.pdf"), particulars(VisibleMark()))
    try PDFJudges.expectSound(file)
    #expect(try PDFText.lines(file).dropFirst().first == "mario Prova")
  }

  @Test func archives() throws {
    func document(_ metadata: String, _ more: String = "") -> [UInt8] {
      SamplePDF(
        catalog: "/Metadata 5 0 R \(more)",
        others: ["<</Length \(metadata.utf8.count)>>\nstream\n\(metadata)\nendstream"]
      ).bytes
    }
    func fault(_ document: [UInt8], _ mark: VisibleMark) -> DocumentError.Refusal? {
      do { _ = try Signed.pdf(document, particulars(mark)) } catch {
        guard case .refused(let fault)? = error as? DocumentError else {
          Issue.record(error)
          return nil
        }
        return fault
      }
      return nil
    }
    let text = VisibleMark()
    var opaque = VisibleMark()
    (opaque.hasText, opaque.image) = (false, try MarkImages.quarters)
    var clear = opaque
    clear.image = .init(try PictureLayers(png: MarkImages.png(.alpha)))
    let intent = "/OutputIntents [<</S /GTS_PDFA1 /OutputConditionIdentifier (sRGB)>>]"
    for (claim, part) in [
      ("<pdfaid:part>1</pdfaid:part>", 1), ("<r pdfaid:part='2'/>", 2),
      ("<r pdfaid:part = \"3\"/>", 3), ("p\0d\0f\0a\0i\0d\0:\0p\0a\0r\0t\0=\0\"\02\0", 2),
    ] {
      #expect(fault(document(claim), text) == nil)
      #expect(fault(document(claim), opaque) == nil)
      #expect(fault(document(claim), clear) == .transparencyInPDFA)
      #expect(fault(document(claim, intent), clear) == (part == 1 ? .transparencyInPDFA : nil))
    }
    #expect(fault(document("<other/>"), text) == nil)
    #expect(fault(SamplePDF(catalog: "/Metadata 1 0 R").bytes, clear) == .transparencyInPDFA)
  }
}
