import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The assisted login for a person: the next step, the use of the address, and the page without a link.
extension LoginTests {
  @Test(arguments: [
    ("en", ["browser that has the login page", "works only once", "Do not share it"]),
    ("it", ["stesso browser", "una volta sola", "comunicarlo a nessuno"]),
    ("de", ["Browser mit der Anmeldeseite", "gilt nur einmal", "niemandem weiter"]),
    ("fr", ["où se trouve la page", "n'est valable qu'une fois", "Ne la donnez à personne"]),
    (
      "sl",
      ["brskalniku, v katerem je prijavna stran", "velja samo enkrat", "Ne povejte ga nikomur"]
    ),
  ])
  func `login explains the use of the address`(_ language: String, _ words: [String]) throws {
    let sandbox = try LoginSandbox.fresh()
    let result = try Program.run(
      try sandbox.assisted(try sandbox.cardLink(), "--language", language),
      input: Persona.gemalto.pin)
    #expect(result.exitStatus == 0 && result.output.hasPrefix("https://"))
    for word in words { #expect(result.errors.contains(word)) }
    #expect(!result.errors.contains("codice="))
  }

  /// The address goes to the clipboard by a pipe, never by the command line, and is not printed as well.
  @Test(arguments: [
    ("WAYLAND_DISPLAY", "wl-copy", ""), ("DISPLAY", "xclip", "-selection clipboard"),
  ])
  func `--copy puts the address on the clipboard`(
    _ display: String, _ program: String, _ words: String
  ) throws {
    let sandbox = try LoginSandbox.fresh()
    let desktop = try Desktop()
    let (object, result) = try handOver(
      sandbox, "--copy", ["PATH": desktop.path, display: ":9"])
    let url = try #require(object["completedUrl"] as? String)
    #expect(object["copied"] as? Bool == true && object["opened"] as? Bool == false)
    #expect(result.exitStatus == 0)
    #expect(try desktop.input(of: program) == url)
    #expect(try desktop.words(of: program) == words + "\n")
    // It has no descriptor of ours: the three streams, and the folder that is being listed.
    #expect(try desktop.files(of: program).matches(of: /\d+ ->/).count == 4)
    let plain = try Program.run(
      try sandbox.assisted(try sandbox.cardLink(), "--copy"), input: Persona.gemalto.pin,
      environment: ["PATH": desktop.path, display: ":9"])
    #expect(plain.output == "" && plain.errors.contains("on the clipboard"))
  }

  @Test func `--open hands the address to the browser`() throws {
    let sandbox = try LoginSandbox.fresh()
    let desktop = try Desktop()
    let (object, _) = try handOver(sandbox, "--open", ["PATH": desktop.path])
    let url = try #require(object["completedUrl"] as? String)
    #expect(object["opened"] as? Bool == true && object["copied"] as? Bool == false)
    #expect(try desktop.words(of: "xdg-open") == url + "\n")
    // Without a separate browser, a login has no use for the address.
    let (other, _) = try Program.json(
      try sandbox.headless("--open"), environment: ["PATH": desktop.path])
    #expect(try ReportedError(other).name == "wrong-start")
  }

  /// A desktop that refuses does not lose the login; one without such a program is detected before the card is asked.
  @Test(arguments: ["--copy", "--open"])
  func `an address that the desktop refuses is printed`(_ option: String) throws {
    let sandbox = try LoginSandbox.fresh()
    let desktop = try Desktop(exitStatus: 1)
    let result = try Program.run(
      try sandbox.assisted(try sandbox.cardLink(), option), input: Persona.gemalto.pin,
      environment: ["PATH": desktop.path, "DISPLAY": ":9"])
    #expect(result.exitStatus == 0 && result.output.contains("codice="))
    #expect(result.errors.contains("took the address"))
    let (object, none) = try handOver(
      sandbox, option, ["PATH": "/proc/nonexistent", "DISPLAY": ":9"])
    #expect(none.exitStatus == 64)
    #expect(try ReportedError(object).name == "no-desktop-program")
  }

  private func handOver(
    _ sandbox: Sandbox, _ option: String, _ environment: [String: String]
  ) throws -> ([String: Any], ProcessResult) {
    try Program.json(
      try sandbox.assisted(try sandbox.cardLink(), option), input: Persona.gemalto.pin,
      environment: environment)
  }

  /// The page that a computer's browser shows is explained, not distrusted.
  @Test(arguments: ["x509-prompt.jsp?conversation=e1s1", "login?execution=e1s1", ""])
  func `a page without its link is refused`(_ page: String) throws {
    let sandbox = try LoginSandbox.fresh()
    let address = try sandbox.address("idp") + page
    let result = try Program.run(try sandbox.assisted(address), input: Persona.gemalto.pin)
    #expect(result.exitStatus == 64 && result.errors.contains("[page-without-link; exit 64]"))
    #expect(result.errors.contains("Entra con lettura carta CIE"))
    #expect(!result.errors.contains("Do not trust"))
  }
}

/// A folder with programs of a desktop that record their input.
private struct Desktop: ~Copyable {
  private let directory: TemporaryDirectory

  init(exitStatus: Int = 0) throws { directory = try Self.folder(exitStatus) }

  private static func folder(_ exitStatus: Int) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["xclip", "wl-copy", "xdg-open"] {
      let script = """
        #!/bin/sh
        echo "$@" > '\(directory.path(name + ".words"))'
        /bin/cat > '\(directory.path(name + ".input"))'
        /bin/ls -l /proc/self/fd > '\(directory.path(name + ".files"))'
        exit \(exitStatus)

        """
      try directory.write(name, [UInt8](script.utf8), permissions: 0o700)
    }
    return directory
  }

  /// The value of `PATH`.
  var path: String { directory.url.path }

  borrowing func words(of program: String) throws -> String { try read(program + ".words") }
  borrowing func input(of program: String) throws -> String { try read(program + ".input") }
  borrowing func files(of program: String) throws -> String { try read(program + ".files") }

  private borrowing func read(_ name: String) throws -> String {
    String(decoding: try directory.read(name), as: UTF8.self)
  }
}
