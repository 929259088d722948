import CIECard
import Foundation
@testable import Primitives
import TestSupport
import Testing
import VirtualCIE

/// Names that would drive a terminal, forge a line, or reverse their neighbours.
@Suite struct HostileTextTests {
  /// ESC and a sequence that clears the screen, DEL, C1, line ends of three kinds, right-to-left override, an isolate,
  /// zero width, a tag, a filler.
  static let hostile =
    "\u{1B}[2J\u{7F}\u{9B}1m\r\nFALSE: \u{2028}\u{202E}\u{2066}\u{200B}\u{E0041}\u{3164}x"

  private static func isClean(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0 != "\n" && $0.isUnseen }
  }

  @Test func `printable text is one visible line`() {
    let text = Self.hostile.printable
    #expect(Self.isClean(text) && !text.contains("\n"))
    #expect(text.contains(#"\u{1b}[2J\u{7f}\u{9b}1m\u{d}\u{a}FALSE: \u{2028}\u{202e}"#))
    #expect("Nicolò Müller, 北京 – «è»".printable == "Nicolò Müller, 北京 – «è»")
  }

  /// In the name of a file, in an error message.
  @Test func `the name of a file cannot drive the terminal`() throws {
    let path = "/proc/nonexistent/" + Self.hostile.filter { $0 != "\0" }
    let result = try Program.run(["info", "--replay", path])
    #expect(result.exitStatus == 64)
    #expect(Self.isClean(result.errors))
    #expect(result.errors.split(separator: "\n").count == 3)
    let (object, _) = try Program.json(["info", "--replay", path])
    let error = try #require(object["error"] as? [String: Any])
    #expect((error["what"] as? String)?.contains(Self.hostile) == true)
  }

  /// In JSON it is escaped, and complete.
  @Test func `a hostile name in JSON is escaped`() throws {
    let directory = try TemporaryDirectory()
    let name = "a\u{202E}\u{E0041}b"
    let file = try directory.write(name, [1])
    let (object, result) = try Program.json(
      ["sign", "--virtual=gemalto", file], input: Persona.gemalto.pin)
    let signatures = try #require(object["signatures"] as? [[String: Any]])
    #expect(signatures.first?["in"] as? String == file)
    #expect(result.output.contains(#"a\u202e\udb40\udc41b"#))
  }

  /// In a certificate, in the list of anchors and its text form.
  @Test func `a hostile name in a certificate cannot drive the terminal`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path("hostile.der")
    let made = try BuiltBinary(path: "/usr/bin/openssl").run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-utf8",
      "-outform", "DER",
      "-keyout", "/dev/null", "-out", file, "-subj", "/C=IT/CN=\(Self.hostile)",
      "-addext", "keyUsage=critical,keyCertSign,cRLSign",
    ])
    #expect(made.exitStatus == 0, "\(made.errors)")
    let list = try Program.run(["trust", "list", "--trust-only", file])
    #expect(list.exitStatus == 0, "\(list.errors)")
    #expect(list.output.contains("FALSE") && Self.isClean(list.output))
    #expect(!list.output.split(separator: "\n").contains { $0.hasPrefix("FALSE") })
    let text = try Certificate(der: directory.read("hostile.der")).text
    #expect(text.contains("FALSE") && Self.isClean(text))
  }
}
