import Foundation
import TestSupport
import Testing
import VirtualCIE

/// At a terminal: prompts without echo, progress, signals. A script plays the person on a pseudo-terminal.
@Suite struct TerminalTests {
  struct Session: Decodable {
    let shown: String
    /// Standard output, if it is no terminal.
    let output: String?
    let echo: [Bool]
    let echoAfter: Bool
    let status: CInt?
    let stepsLeft: [String]
  }

  func play(_ steps: [String], _ arguments: [String]) throws -> Session {
    let script = Repository.url("Tests/CIEReadTests/Terminal/terminal_session.py").path
    let result = try BuiltBinary(path: "/usr/bin/env").run(
      ["python3", script] + steps + ["--", BuiltBinary("cie-read").path] + arguments)
    #expect(result.errors == "")
    return try JSONDecoder().decode(Session.self, from: Data(result.standardOutput))
  }

  @Test func `the prompt does not echo a PIN`() throws {
    let persona = Persona.gemalto
    let session = try play(
      ["expect=virtual gemalto: PIN (8 digits, 3 tries left): ", "type=\(persona.pin)"],
      ["pin", "verify", "--virtual"])
    #expect(session.status == 0)
    #expect(session.echo == [false] && session.echoAfter)
    #expect(!session.shown.contains(persona.pin))
    #expect(session.shown.contains("Verifying the PIN…"))
    #expect(session.shown.hasSuffix("The PIN is correct.\r\n"))
  }

  /// The chip gave its files, and only their authority is untrusted: the default is no unless a person agrees.
  @Test func `a person decides about an untrusted authority`() throws {
    let directory = try TemporaryDirectory()
    let other = try Persona.nxp.writeAnchor(in: directory)
    let arguments = ["pin", "verify", "--virtual", "--trust-only", other]
    for (answer, status) in [("y", 0), ("n", 13), ("", 13)] as [(String, CInt)] {
      let goesOn = status == 0
      let session = try play(
        ["expect=Go on all the same? [y/N] ", "type=\(answer)"]
          + (goesOn ? ["expect=PIN (8 digits", "type=\(Persona.gemalto.pin)"] : []), arguments)
      #expect(session.status == status && session.stepsLeft.isEmpty)
      #expect(session.shown.contains("Could not check that the State vouches for this chip"))
      #expect(session.shown.contains("PIN (8 digits") == goesOn)
    }
    // Neither if the answer was given before, nor about a chip that withholds its files.
    for more in [["--require-genuine"], ["--fault", "hidden-file=1006"]] {
      let session = try play([], arguments + more)
      #expect(session.status == 13)
      #expect(!session.shown.contains("[y/N]") && !session.shown.contains("PIN (8 digits"))
    }
  }

  @Test func `a new PIN is asked for twice`() throws {
    let pin = Persona.gemalto.pin
    let same = try play(
      [
        "expect=PIN (8 cifre, restano 3 tentativi)", "type=\(pin)", "expect=Nuovo PIN",
        "type=86420864",
      ]
        + ["expect=Ripetere il nuovo PIN", "type=86420864"],
      ["pin", "change", "--virtual", "--language", "it"])
    #expect(same.status == 0 && same.stepsLeft.isEmpty)
    #expect(same.echo == [false, false, false] && same.echoAfter)
    #expect(!same.shown.contains("86420864"))
  }

  /// Nothing was sent, so a person corrects the entry at once, with the one VERIFY of the run still ahead.
  @Test func `a slip of the fingers is asked for again`() throws {
    let directory = try TemporaryDirectory()
    let pin = Persona.gemalto.pin
    let session = try play(
      ["expect=PIN (8 digits, 3 tries left)", "type=1234"]
        + ["expect=The PIN must have 8 digits.", "asked", "type=\(pin)"]
        + ["expect=New PIN", "type=12345678"]
        + ["expect=The new PIN is easy to guess.", "asked", "type=\(pin)"]
        + ["expect=The new PIN is the same as the old one.", "asked", "type=86420864"]
        + ["expect=again", "type=86420865"]
        + ["expect=The two entries of the new PIN differ.", "asked", "type=86420864"]
        + ["expect=again", "type=86420864"],
      ["pin", "change", "--virtual", "--record", directory.path("log")])
    #expect(session.status == 0 && session.stepsLeft.isEmpty, "\(session.shown)")
    let log = String(decoding: try directory.read("log"), as: UTF8.self)
    #expect(log.split(separator: "\n").count { $0.hasPrefix("> 0C20") } == 1)
    let document = try play(
      ["expect=CAN (6 digits)", "type=2236", "expect=The CAN must have 6 digits.", "asked"]
        + ["type=\(Persona.gemalto.can)"],
      ["read", "--virtual", "--no-picture"])
    #expect(document.status == 0 && document.stepsLeft.isEmpty, "\(document.shown)")
  }

  @Test func `an entry that stays wrong ends the program, and so does an empty one`() throws {
    let five = try play(
      (0..<5).flatMap { _ in ["expect=PIN (8 digits, 3 tries left)", "type=1234"] },
      ["pin", "verify", "--virtual"])
    #expect(five.status == 64 && five.shown.contains("[pin-length; exit 64]"))
    let empty = try play(
      ["expect=PIN (8 digits, 3 tries left)", "type="], ["pin", "verify", "--virtual"])
    #expect(empty.status == 64 && empty.shown.contains("[pin-missing; exit 64]"))
  }

  @Test func `a person sees whose the certificate is`() throws {
    let persona = Persona.gemalto
    let session = try play(
      ["expect=PIN (8 digits, 3 tries left)", "type=\(persona.pin)"], ["cert", "--virtual"])
    #expect(session.status == 0)
    #expect(session.shown.contains("\(persona.givenName) \(persona.surname)"))
    #expect(session.shown.contains(persona.fiscalCode) && !session.shown.contains("BEGIN CERT"))
    let piped = try play(
      ["apart", "expect=PIN (8 digits, 3 tries left)", "type=\(persona.pin)"],
      ["cert", "--virtual"])
    #expect(piped.output?.hasPrefix("-----BEGIN CERTIFICATE-----\n") == true)
  }

  @Test(arguments: [("HUP", 129), ("INT", 130), ("QUIT", 131), ("TERM", 143)])
  func `a signal at the prompt leaves the terminal as it was`(_ signal: String, _ status: CInt)
    throws
  {
    let session = try play(
      ["expect=PIN (8 digits, 3 tries left)", "signal=\(signal)"], ["pin", "verify", "--virtual"])
    #expect(session.status == status)
    #expect(session.echo == [false] && session.echoAfter)
    #expect(session.shown.contains("[interrupted; exit \(status)]"))
  }

  /// The current command is finished, the next one is not sent.
  @Test func `a signal during a command lets the card answer`() throws {
    let directory = try TemporaryDirectory()
    let diary = directory.path("diary")
    let pin = try directory.write("pin", [UInt8](Persona.gemalto.pin.utf8))
    let session = try play(
      // The step is shown just before its command is sent; the pause lets it begin, the delay lets it last.
      ["expect=Reading the device key", "pause=400", "signal=INT"],
      ["pin", "verify", "--virtual", "--pin-file", pin, "--record", diary]
        + ["--fault", "delay=4000@B0:1"])
    #expect(session.status == 130)
    let text = String(decoding: try directory.read("diary"), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("> 00B0") }.count == 1)
    #expect(lines.last?.hasPrefix("< ") == true)
    #expect(!session.shown.contains("Verifying the PIN"))
  }

  @Test func `binary data do not go to a terminal`() throws {
    for arguments in [
      ["cert", "--virtual", "--format", "der"], ["sign", "--virtual", "--in", "/dev/null"],
    ] {
      let isSign = arguments[0] == "sign"
      let session = try play([], arguments + (isSign ? ["--out", "-"] : []))
      #expect(session.status == 64)
      #expect(session.shown.contains("[binary-to-terminal; exit 64]"))
    }
  }
}
