import CIECard
import Foundation
import TestSupport
import Testing

@testable import Pictures

/// Pages of PDFs, drawn by pdftoppm in a separate process: the result, the restrictions, and the failures.
@Suite(.timeLimit(.minutes(20))) struct PageProcessTests {
  private let own: String

  init() throws { own = try BuiltBinary("cie-read").path }

  private func draw(
    _ pdf: [UInt8], _ page: Int = 1, by program: String, within patience: CInt = 20_000
  ) throws(PictureError) -> Picture {
    try PageProcess.draw(pdf, page: page, by: program, within: patience)
  }

  /// A document of two pages, 200 by 100 points: the first has black in its left half, a text in a font that is not
  /// embedded, and something outside of its crop box; the second is turned.
  private static let document: [UInt8] = {
    let content = "0 0 100 100 re f BT /F 40 Tf 110 30 Td (Wxyz) Tj ET 1 0 0 rg 200 0 99 99 re f"
    let font = "<</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>"
    let page = "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /CropBox [0 0 200 100]"
    let objects = [
      "<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R 4 0 R] /Count 2>>",
      "\(page) /Contents 5 0 R /Resources \(font)>>", "\(page) /Rotate 90>>",
      "<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream",
    ]
    var (text, places) = ("%PDF-1.7\n", [Int]())
    for (index, object) in objects.enumerated() {
      places.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 6\n0000000000 65535 f\r\n"
    for place in places { text += String(format: "%010d 00000 n\r\n", place) }
    return [UInt8]("\(text)trailer\n<</Root 1 0 R /Size 6>>\nstartxref\n\(start)\n%%EOF\n".utf8)
  }()

  private func pixel(_ picture: Picture, _ x: Double, _ y: Double) -> [UInt8] {
    let place =
      Int(y * Double(picture.height)) * picture.width + Int(x * Double(picture.width))
    return [UInt8](picture.pixels[3 * place..<3 * place + 3])
  }

  @Test func `a page is drawn as it is seen`() throws {
    let first = try draw(Self.document, by: own)
    #expect(first.width == PageProcess.longestSide && first.height == first.width / 2)
    #expect(pixel(first, 0.25, 0.5) == [0, 0, 0])
    #expect(pixel(first, 0.95, 0.95) == [255, 255, 255])
    // The letters come from a font of the system.
    let right = (0..<first.pixels.count / 3).filter { $0 % first.width > first.width * 11 / 20 }
    #expect(right.count { first.pixels[3 * $0] < 128 } > 1000)
    let second = try draw(Self.document, 2, by: own)
    #expect(second.height == PageProcess.longestSide && second.width == second.height / 2)
    #expect(second.pixels.allSatisfy { $0 == 255 })
  }

  @Test func `what has no picture is an error`() throws {
    for (pdf, page) in [
      (Self.document, 3), (Self.document, 0), ([], 1), ([UInt8]("%PDF-1.7\n".utf8), 1),
      ([UInt8](repeating: 0x41, count: 100_000), 1),
    ] {
      #expect(throws: PictureError.pageNotDrawn) { try draw(pdf, page, by: own) }
    }
    let long = [UInt8](repeating: 0, count: PageProcess.longestFile + 1)
    #expect(throws: PictureError.pageTooLarge) { try draw(long, by: own) }
    #expect(throws: PictureError.pageNotDrawn) { try draw(Self.document, by: "/proc/nonexistent") }
  }

  /// Any output of a drawer but a picture is one error, at once or when its time is over.
  @Test(arguments: [
    "exit 0", "kill -SEGV $$", "cat", "cat /dev/zero", "sleep 60", "printf 'P6\\n1 1\\n255\\n'",
    "printf 'P6\\n1 1\\n255\\nabcd'", "printf 'P5\\n1 1\\n255\\nabc'",
    "printf 'P6\\n1 1\\n15\\nabc'",
    "printf 'P6\\n99999 99999\\n255\\nabc'", "printf 'P6\\n1 -1\\n255\\nabc'", "printf 'P6 1'",
  ])
  func `a drawer that fails is an error`(_ script: String) throws {
    let directory = try TemporaryDirectory()
    let program = try directory.write(
      "drawer", [UInt8]("#!/bin/sh\n\(script)\n".utf8), permissions: 0o700)
    #expect(throws: PictureError.pageNotDrawn) { try draw(Self.document, by: program, within: 500) }
  }

  /// While it waits for the document, the kernel shows the drawer's restrictions.
  @Test func `the drawer has no other rights`() throws {
    try ConfinedProcess.run(
      own, [PageProcess.argument, "1"],
      whenReady: { try ConfinedProcess.text($0 + "comm") == "pdftoppm\n" }
    ) { folder in
      try ConfinedProcess.expectConfined(folder, files: 64, seconds: 10)
      #expect(try ConfinedProcess.text(folder + "environ").isEmpty)
    }
  }
}
