@testable import Web
import RedirectFlow
import Testing

@Suite struct LoginCodeTests {
  private func digits(_ body: String) throws(HandOffError) -> String? {
    let code = try LoginCode(responseBody: [UInt8](body.utf8))
    guard case .card(let card) = try? HandOff(Links.card, in: .production) else { return nil }
    return card.completedURL(code: code).value(of: "codice")
  }

  @Test(arguments: [
    "codice:0123456789012345", " \t\r\ncodice:0123456789012345\r\n",
    "codice:0123456789012345" + String(repeating: " ", count: 1024 - 23),
  ])
  func takesTheCode(_ body: String) throws {
    #expect(try digits(body) == "0123456789012345")
  }

  private static let refusesAllElseTable: [(String, LoginCodeProblem)] = [
    ("", LoginCodeProblem.empty), (" \r\n\t ", .empty),
    ("codice:0123456789012345" + String(repeating: " ", count: 1024 - 22), .tooLong),
    (String(repeating: "0", count: 1 << 20), .tooLong),
    ("0123456789012345", .noMarker), ("Codice:0123456789012345", .noMarker),
    ("codice=0123456789012345", .noMarker), ("codice", .noMarker),
    ("<html>codice:0123456789012345", .noMarker), ("x codice:0123456789012345", .noMarker),
    ("\u{FEFF}codice:0123456789012345", .noMarker), ("\u{A0}codice:0123456789012345", .noMarker),
    ("\u{B}codice:0123456789012345", .noMarker), ("\0codice:0123456789012345", .noMarker),
    ("codice:", .wrongLength(0)), ("codice:012345678901234", .wrongLength(15)),
    ("codice:01234567890123456", .wrongLength(17)), ("codice:xyz", .notDigits),
    ("codice: 0123456789012345", .notDigits), ("codice:0123456789012345x", .notDigits),
    ("codice:01234567 89012345", .notDigits), ("codice:0123456789012345\u{B}", .notDigits),
    ("codice:0123456789012345\ncodice:0123456789012345", .notDigits),
    ("codice:012345678901234\u{661}", .notDigits), ("codice:-123456789012345", .notDigits),
    ("codice:0123456789012345&x=1", .notDigits), ("codice:0123456789012345\0", .notDigits),
    ("codice::0123456789012345", .notDigits),
  ]

  @Test(arguments: refusesAllElseTable)
  func refusesAllElse(_ body: String, _ problem: LoginCodeProblem) {
    #expect(throws: HandOffError.code(problem)) { try digits(body) }
  }

  @Test func neverTraps() {
    for body in Mutations.of(" codice:0123456789012345\n") {
      guard let code = try? digits(String(decoding: body, as: UTF8.self)) else { continue }
      #expect(code.utf8.count == 16)
    }
  }
}
