import Foundation
import TestSupport
import Testing
import VirtualCIE

/// At a terminal: the CAN is asked for and shown, and so is the portrait if the terminal can.
@Suite struct ReadTerminalTests {
  /// - Parameter environment: on top of a terminal without known features.
  private func play(
    _ environment: [String], _ arguments: [String] = [], asks: Bool = false
  ) throws -> TerminalTests.Session {
    let script = Repository.path("Tests/CIEReadTests/Terminal/terminal_session.py")
    let persona = Persona.nxp
    let cleared = ["KITTY_WINDOW_ID", "TERM_PROGRAM", "COLORTERM", "NO_COLOR", "TMUX"]
    let steps = ["expect=virtual nxp: CAN (6 digits): ", "type=\(persona.can)"]
    let result = try BuiltBinary(path: "/usr/bin/env").run(
      cleared.flatMap { ["-u", $0] } + ["TERM=xterm", "XDG_DATA_HOME=/proc/nonexistent"]
        + environment
        + ["python3", script] + (asks ? steps : [])
        + ["--", try BuiltBinary("cie-read").path, "read", "--virtual", "nxp"]
        + (asks ? [] : ["--can", persona.can]) + arguments)
    #expect(result.errors == "")
    return try JSONDecoder().decode(
      TerminalTests.Session.self, from: Data(result.standardOutput))
  }

  @Test func `the CAN is asked for and shown`() throws {
    let session = try play([], asks: true)
    #expect(session.status == 13)
    #expect(session.echo == [true] && session.echoAfter)
    #expect(session.shown.contains("CAN (6 digits): \(Persona.nxp.can)"))
    #expect(session.shown.contains(Persona.nxp.surname))
  }

  @Test(arguments: [
    (["TERM=xterm-kitty"], "\u{1B}_Ga=T,f=100,q=2,r=16,m=1;iVBORw0KGgo"),
    (["KITTY_WINDOW_ID=1"], "\u{1B}_Ga=T,f=100,q=2,"),
    (["TERM_PROGRAM=ghostty"], "\u{1B}_Ga=T,f=100,q=2,"),
    (["TERM_PROGRAM=iTerm.app"], "\u{1B}]1337;File=inline=1;size="),
    (["TERM_PROGRAM=WezTerm", "COLORTERM=truecolor"], "\u{1B}]1337;File=inline=1;size="),
    (["COLORTERM=truecolor"], "m▀\u{1B}[38;2;"),
    (["COLORTERM=24bit", "TMUX=/tmp/x", "KITTY_WINDOW_ID=1"], "m▀\u{1B}[38;2;"),
    (["TERM=xterm-kitty", "NO_COLOR=1"], "\u{1B}_Ga=T,"),
  ])
  func `the portrait is shown on a terminal that can`(_ environment: [String], _ start: String)
    throws
  {
    let session = try play(environment)
    #expect(session.status == 13)
    #expect(session.shown.contains(start))
    #expect(session.shown.contains("NOT PROVED"))
  }

  @Test(arguments: [
    ([], []), (["COLORTERM=truecolor", "NO_COLOR=1"], []),
    (["TERM=dumb", "COLORTERM=truecolor"], []),
    (["TERM=screen-256color", "KITTY_WINDOW_ID=1"], []), (["TERM=xterm-kitty"], ["--no-picture"]),
    (["TERM=xterm-kitty"], ["--json"]), (["COLORTERM=truecolor"], ["--only", "dg1"]),
  ])
  func `the portrait is not shown on a terminal that cannot`(
    _ environment: [String], _ arguments: [String]
  ) throws {
    let session = try play(environment, arguments)
    #expect(session.status == 13)
    for start in ["\u{1B}_G", "\u{1B}]1337", "▀"] { #expect(!session.shown.contains(start)) }
  }

  /// kitty gets the picture that --photo writes.
  @Test func `kitty gets the portrait as PNG`() throws {
    let directory = try TemporaryDirectory()
    let session = try play(["TERM=xterm-kitty"], ["--photo", directory.path("photo.png")])
    let pieces = session.shown.split(separator: "\u{1B}_G").dropFirst().map { piece in
      piece.prefix { $0 != "\u{1B}" }.drop { $0 != ";" }.dropFirst()
    }
    #expect(pieces.dropLast().allSatisfy { $0.count == 4096 })
    let picture = try #require(Data(base64Encoded: pieces.joined()))
    #expect([UInt8](picture) == (try directory.read("photo.png")))
  }
}
