import DocumentSigning
import TestSupport
import Testing

/// The letters of visible marks, as Poppler reads them.
@Suite struct MarkLettersTests {
  private func particulars(_ mark: VisibleMark) -> PDFParticulars {
    var particulars = PDFParticulars()
    particulars.mark = mark
    return particulars
  }

  /// Names of all of Europe show as they are, in a font that the document brings along.
  @Test func letters() throws {
    let texts = [
      "\u{141}\u{F3}d\u{17A} \u{110}or\u{111}e \u{10D}\u{107}\u{161}\u{17E} \u{218}tefan \u{11E}\u{131}",
      "\u{395}\u{3BB}\u{3BB}\u{3AC}\u{3B4}\u{3B1}",
      "\u{411}\u{44A}\u{43B}\u{433}\u{430}\u{440}\u{456}\u{44F}",
      "\u{20AC} 5 \u{2013} l\u{2019}\u{AB}a\u{BB}",
    ]
    for text in texts {
      var stated = particulars(VisibleMark())
      (stated.reason, stated.location) = (text, "c\u{30C}")
      let file = try Signed.pdf(SamplePDF().bytes, stated)
      #expect(try PDFText.lines(file)[3...4] == [text, "\u{10D}"])
      let folder = try TemporaryDirectory()
      let fonts = try BuiltBinary(path: "/usr/bin/pdffonts")
        .run([try folder.write("file.pdf", file)])
      let rows = fonts.output.split(separator: "\n").dropFirst(2)
      #expect(rows.count == 1 && fonts.errors.isEmpty, "\(fonts.output)\(fonts.errors)")
      // Embedded, a subset, with its characters.
      #expect(
        rows.first?.contains(
          /^[A-Z]{6}\+DejaVuSansCondensed +CID TrueType +Identity-H +yes yes yes/) == true)
      _ = try Raster(file)
    }
  }

  /// Characters that the font lacks are named before anything is signed; none becomes another one.
  @Test func textThatDoesNotShow() throws {
    for (text, missing) in [
      ("\u{4E00}?", "\u{4E00}"), ("\u{5D0}a\u{627}", "\u{5D0}\u{627}"),
      ("q\u{30C}", "q\u{30C}"), ("a\u{AD}b", "\u{AD}"),
    ] {
      for isReason in [true, false] {
        var stated = particulars(VisibleMark())
        if isReason { stated.reason = text } else { stated.location = text }
        // Before the card is asked for its certificate and a signature.
        #expect(throws: DocumentError.refused(.textInMark(missing))) {
          try UnsignedDocument(ByteSource(SamplePDF().bytes), as: .pdf(stated))
        }
        stated.mark?.hasText = false
        stated.mark?.image = try MarkImages.quarters
        #expect(try !Signed.pdf(SamplePDF().bytes, stated).isEmpty)
      }
    }
  }
}
