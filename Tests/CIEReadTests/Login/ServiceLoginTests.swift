import Foundation
import TestSupport
import Testing

/// `login --service`: the other sign-in methods, from the command line, with the sandbox and a person at its pages.
@Suite(.serialized) final class ServiceLoginTests {
  private static let shared = Result { try Sandbox() }

  private let sandbox: Sandbox
  private let home: TemporaryDirectory

  init() throws {
    sandbox = try Self.shared.get()
    try sandbox.clear()
    home = try TemporaryDirectory()
    let person = """
      #!/bin/sh
      exec '\(Repository.path("tools/sandbox/person"))' --ready '\(try sandbox.address("readyFile"))' \
      --as "${PERSON:-password}" --say "${SAY:-accept}" --print "$1" > '\(home.path("person.log"))' 2>&1
      """
    try home.write("xdg-open", [UInt8](person.utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.path("xdg-open"))
  }

  private func environment(_ more: [String: String] = [:]) -> [String: String] {
    [
      "XDG_STATE_HOME": home.path("state"), "HOME": home.url.path,
      "PATH": home.url.path + ":/usr/bin:/bin",
    ].merging(more) { $1 }
  }

  private func json(
    _ words: [String], _ more: [String: String] = [:], description: String = "service"
  ) throws -> [String: Any] {
    let service = try sandbox.address(description)
    let words = words.first == "login" ? words + ["--service", service] : words
    return try Program.json(words, environment: environment(more)).object
  }

  private func values(_ object: [String: Any]) -> [String: String] {
    (object["fields"] as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
  }

  @Test(arguments: [
    ["oidc"], ["identity-app"], ["bank", "--provider", "bankid", "--provider", "sabbia"],
    ["spid", "--provider", "posteid"],
  ])
  func `a person who continues in the browser is signed in`(_ way: [String]) throws {
    let object = try json(["login", "--open", "--show-attributes", "--method"] + way)
    #expect(object["ok"] as? Bool == true, "\(object)")
    #expect(object["method"] as? String == way.first)
    #expect(values(object)["codiceFiscale"] == "PRVGSM80X99Z999G")
    #expect(values(object)["dataNascita"] == "1980-01-11")
    let status = try json(["status"])
    #expect(status["state"] as? String == "signed-in")
    #expect(try json(["logout"])["providerTold"] as? Bool == true)
    #expect(try ReportedError(json(["status"])).exit == 16)
  }

  /// Real back ends end at their own page, and an OpenID provider may know only an app's scheme.
  static let ownEnds = [
    ["bank", "--provider", "bankid", "--provider", "sabbia"], ["spid", "--provider", "posteid"],
  ]

  @Test(arguments: ownEnds)
  func `the address of the service's last page is typed at the terminal`(_ way: [String]) throws {
    let words =
      ["login", "--open", "--show-attributes", "--service", try sandbox.address("serviceReturns")]
      + ["--method"] + way
    let session = try BuiltBinary(path: "/usr/bin/python3").run(
      [
        Repository.path("Tests/CIEReadTests/Terminal/terminal_session.py"), "asked",
        "type=https://localhost/", "asked", "typefile=" + home.path("person.log"), "--",
        try BuiltBinary("cie-read").path,
      ] + words, environment: environment(), timeLimit: .seconds(300))
    let shown = session.output
    #expect(shown.contains("This is not the address at which the sign-in ends."), "\(shown)")
    #expect(shown.contains("GELSOMINA"), "\(shown)")
    #expect(try json(["status"])["method"] as? String == way.first)
  }

  @Test func `a person chooses a verification and a bank, and the data are the bank's`() throws {
    let session = try BuiltBinary(path: "/usr/bin/python3").run(
      [
        Repository.path("Tests/CIEReadTests/Terminal/terminal_session.py"), "asked", "type=1",
        "asked", "type=1", "--", try BuiltBinary("cie-read").path, "login", "--open", "--service",
        try sandbox.address("service"), "--method", "bank",
      ], environment: environment(), timeLimit: .seconds(300))
    let shown = session.output
    #expect(shown.contains("How should your identity be verified? Number: "), "\(shown)")
    #expect(shown.contains("Which provider? Number: "), "\(shown)")
    #expect(shown.contains("Data from the provider: "), "\(shown)")
    #expect(!shown.contains("released"), "\(shown)")
  }

  @Test(arguments: ownEnds)
  func `a page of this machine is told without a code for a phone`(_ way: [String]) throws {
    let words = ["login", "--service", try sandbox.address("serviceReturns"), "--method"] + way
    let wrong = [String](repeating: "asked type=https://localhost/", count: 3)
      .flatMap { $0.split(separator: " ").map(String.init) }
    let session = try BuiltBinary(path: "/usr/bin/python3").run(
      [Repository.path("Tests/CIEReadTests/Terminal/terminal_session.py")] + wrong
        + ["--", try BuiltBinary("cie-read").path] + words,
      environment: environment(), timeLimit: .seconds(300))
    let shown = session.output
    #expect(shown.contains("This address is for you alone:"), "\(shown)")
    // The blocks of a QR code, as JSON writes them.
    #expect(!shown.contains(#"\u258"#), "\(shown)")
  }

  @Test(arguments: ownEnds)
  func `the address comes by standard input, or the sign-in fails`(_ way: [String])
    throws
  {
    let words =
      ["login", "--open", "--json", "--service", try sandbox.address("serviceReturns"), "--method"]
      + way
    let program = try BuiltBinary("cie-read").path
    // Passes the browser's last address to the program, as soon as it is there.
    let script = """
      cd "$1"; shift; rm -f person.log; mkfifo person.log
      "$@" --return stdin <> person.log
      """
    let result = try BuiltBinary(path: "/bin/bash").run(
      ["-c", script, "bash", home.url.path, program] + words, environment: environment(),
      timeLimit: .seconds(300))
    let object = try JSONSerialization.jsonObject(with: Data(result.standardOutput))
    #expect((object as? [String: Any])?["ok"] as? Bool == true, "\(object)\(result.errors)")
    let alone = try Program.json(words.filter { $0 != "--json" }, environment: environment())
    #expect(try ReportedError(alone.object).exit == 64)
  }

  @Test(arguments: [["oidc"], ["spid", "--provider", "posteid"]])
  func `a person who refuses in the browser is not signed in`(_ way: [String]) throws {
    let object = try json(["login", "--open", "--method"] + way, ["SAY": "deny"])
    #expect(try ReportedError(object).exit == 11)
    #expect(try ReportedError(json(["status"])).name == "not-signed-in")
  }

  @Test(arguments: [
    (0o600, "client-key-unusable"), (0o644, "client-key-exposed"), (nil, "client-key-unreadable"),
  ])
  func `an unusable client key is an input error, not the provider's fault`(
    mode: Int?, name: String
  ) throws {
    let entry =
      #"{"method":"oidc","issuer":"https://service.invalid/","clientId":"c","clientKey":"key"}"#
    let path = try home.write("own.json", [UInt8](#"{"name":"Prova","methods":[\#(entry)]}"#.utf8))
    if let mode { try home.write("key", [UInt8]("{}".utf8), permissions: mode) }
    let result = try Program.json(["login", "--service", path], environment: environment())
    let error = try ReportedError(result.object)
    #expect(error.name == name && error.exit == 64)
  }

  @Test func `a card signs in at a service of a description, and a claim is written as bytes`()
    throws
  {
    try home.write("pin", [UInt8]("27182818\n".utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: home.path("pin"))
    let object = try json([
      "login", "--method", "card", "--virtual", "--pin-file", home.path("pin"), "--consent", "yes",
    ])
    #expect(object["ok"] as? Bool == true, "\(object)")
    #expect(object["samlStatus"] != nil && object["state"] as? String == "signed-in")
    let claims = try json(["claims"])
    #expect(values(claims)["nome"] == "GELSOMINA")
    #expect(try json(["claims", "cognome"])["values"] as? [String] == ["PROVA"])
    // A fiscal code has the form of base64, and a name like this has not.
    let file = home.path("bytes")
    #expect(try json(["claims", "codiceFiscale", "--out", file])["out"] as? String == file)
    let code = try #require(values(claims)["codiceFiscale"])
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(base64Encoded: code))
    let other = try ReportedError(json(["claims", "cognome", "--out", home.path("other")]))
    #expect(other.name == "claim-not-binary")
  }

  @Test func `only the token is printed, and no account is signed in`() throws {
    let object = try json(["login", "--open", "--method", "identity-app", "--token-only"])
    #expect((object["token"] as? String)?.split(separator: ".").count == 3)
    #expect(try ReportedError(json(["status"])).name == "not-signed-in")
  }

  @Test func `a session outlives its access token as long as it can be renewed`() throws {
    _ = try json(["login", "--open", "--method", "oidc"])
    let first = try json(["token"])["token"] as? String
    let second = try json(["token", "--refresh"])["token"] as? String
    #expect(first != nil && second != nil && first != second)
    #expect((try json(["token", "--identity"])["token"] as? String)?.isEmpty == false)
  }

  /// The commands that end a session while the provider holds the answer with a new token.
  static let endings: [(name: String, commands: [[String]], left: String)] = [
    ("reset", [["reset"]], "not-signed-in"),
    ("logout", [["logout"]], "not-signed-in"),
    ("lock forget", [["lock", "forget"]], "not-signed-in"),
    (
      "third wrong code", Array(repeating: ["lock", "enter"], count: 3), "not-signed-in"
    ),
    ("another sign-in", [["login", "--open", "--method", "oidc"]], "oidc"),
  ]

  @Test(arguments: endings.indices)
  func `a session that ends while its token is renewed stays ended`(_ index: Int) throws {
    let (_, commands, left) = Self.endings[index]
    try home.write("password", [UInt8](try sandbox.password(of: "password").utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: home.path("password"))
    let signedIn = try json([
      "login", "--method", "email", "--user", "gelsomina.prova@example.invalid",
      "--password-file", home.path("password"),
    ])
    #expect(signedIn["ok"] as? Bool == true, "\(signedIn)")
    let code = try Program.run(["lock", "set"], input: "271828\n", environment: environment())
    #expect(code.exitStatus == 0)
    let held = try sandbox.log.split(separator: "way-held").count
    try sandbox.arm("way-held", at: "tenant/token")
    let refresh = try BackgroundProcess(
      try BuiltBinary("cie-read").path, ["token", "--refresh", "--json"],
      environment: environment())
    let isHeld = refresh.wait {
      (try? sandbox.log.split(separator: "way-held").count) ?? 0 > held
    }
    #expect(isHeld)
    for words in commands {
      let service = words.first == "login" ? ["--service", try sandbox.address("service")] : []
      _ = try Program.run(words + service, input: "271829\n", environment: environment())
    }
    try sandbox.clear()
    let line = try #require(refresh.firstLine())
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(answer["token"] == nil)
    #expect(try ReportedError(answer).name == (left == "oidc" ? "other-session" : left))
    let status = try json(["status"])
    if left == "oidc" {
      #expect(status["method"] as? String == left)
    } else {
      #expect(try ReportedError(status).name == left)
    }
  }

  @Test func `no password, code or token is in the arguments or the output`() throws {
    let password = try sandbox.password(of: "password")
    try home.write("password", [UInt8](password.utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: home.path("password"))
    let result = try Program.run(
      [
        "login", "--service", try sandbox.address("service"), "--method", "email", "--user",
        "gelsomina.prova@example.invalid", "--password-file", home.path("password"),
        "--show-attributes", "--verbose", "--json",
      ], environment: environment())
    #expect(result.exitStatus == 0, "\(result.errors)")
    for text in [result.output, result.errors] {
      #expect(!text.contains(password.dropLast()) && !text.contains("eyJ"))
    }
    #expect(try !sandbox.log.contains(password.dropLast()))
  }
}
