import RedirectFlow
import TestSupport
import Testing

/// The drawn code is read back by zbar, a program unrelated to the encoding library.
@Suite struct QRCodeTests {
  static let texts = [
    "CIEID://https://idserver.servizicie.interno.gov.it/OpenApp?nextUrl=https://a&value=e1s1",
    "a", "città ☕", "0123456789", String(repeating: "x&", count: 600),
  ]

  /// Draws a picture with big modules, as zbar expects of cameras, and has it read.
  private func decode(_ rows: [[Bool]]) throws -> String {
    let scale = 4
    let width = (rows.first?.count ?? 0) * scale
    var picture = [UInt8]("P5\n\(width) \(rows.count * scale)\n255\n".utf8)
    for row in rows {
      let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
      for _ in 0..<scale { picture += line }
    }
    let folder = try TemporaryDirectory()
    let file = try folder.write("code.pgm", picture)
    let zbar = BuiltBinary(path: "/usr/bin/zbarimg")
    let result = try zbar.run(["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file])
    #expect(result.exitStatus == 0, "\(result.errors)")
    return String(result.output.dropLast())
  }

  @Test(arguments: texts)
  func terminalTextIsReadable(_ text: String) throws {
    let lines = try #require(RedirectURL.QRCode(text)).terminalText.split(separator: "\n")
    var rows: [[Bool]] = []
    for line in lines {
      rows.append(line.map { $0 == " " || $0 == "▄" })
      rows.append(line.map { $0 == " " || $0 == "▀" })
    }
    #expect(Set(rows.map(\.count)).count == 1)
    #expect(try decode(rows) == text)
  }

  /// Every module that the path covers, by the path's own numbers.
  @Test(arguments: texts)
  func pictureIsReadable(_ text: String) throws {
    let code = try #require(RedirectURL.QRCode(text))
    let svg = code.svg
    let size = try #require(svg.firstMatch(of: /viewBox="0 0 (\d+) \1"/)?.1)
    let side = try #require(Int(size))
    #expect(svg.contains("<path fill=\"#fff\" d=\"M0 0h\(side)v\(side)h-\(side)z\"/>"))
    var rows = [[Bool]](repeating: [Bool](repeating: false, count: side), count: side)
    for run in svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-\3z/) {
      let numbers = [run.1, run.2, run.3].compactMap { Int($0) }
      for column in numbers[0]..<numbers[0] + numbers[2] { rows[numbers[1]][column] = true }
    }
    let expected = (-4..<side - 4).map { row in
      (-4..<side - 4).map { code.isDark(row: row, column: $0) }
    }
    #expect(side == code.width + 8 && rows == expected)
    #expect(try decode(rows) == text)
  }

  /// ISO/IEC 18004 §5.3.8: four light modules on every side.
  @Test func keepsItsMargin() throws {
    let code = try #require(RedirectURL.QRCode("a"))
    #expect(code.width == 21)
    let lines = code.terminalText.split(separator: "\n")
    #expect(lines.count == 15)
    for line in lines {
      #expect(line.count == 29)
      #expect(line.hasPrefix("████") || line.hasPrefix("▀▀▀▀"))
      #expect(line.hasSuffix("████") || line.hasSuffix("▀▀▀▀"))
    }
    #expect(lines[0] == String(repeating: "█", count: 29))
    #expect(lines[1] == String(repeating: "█", count: 29))
    #expect(!code.isDark(row: -1, column: 0) && !code.isDark(row: 0, column: 21))
    #expect(code.isDark(row: 0, column: 0) && code.isDark(row: 20, column: 0))
  }

  @Test func hasLimits() throws {
    #expect(RedirectURL.QRCode("") == nil)
    #expect(RedirectURL.QRCode(String(repeating: "a", count: 2954)) == nil)
    #expect(RedirectURL.QRCode(String(repeating: "a", count: 2953))?.width == 177)
    // The largest at level M, and the first that needs level L.
    #expect(RedirectURL.QRCode(String(repeating: "a", count: 2331))?.width == 177)
    #expect(RedirectURL.QRCode(String(repeating: "a", count: 2332))?.width == 161)
  }
}
