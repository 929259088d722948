import Foundation
import TestSupport
import Testing

/// `login --service`: the other ways in, from the command line, with the sandbox and a person at its pages.
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
      --as "${PERSON:-password}" --say "${SAY:-accept}" "$1" > '\(home.path("person.log"))' 2>&1
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
  func `a person who goes on in the browser is signed in`(_ way: [String]) throws {
    let object = try json(["login", "--open", "--show-attributes", "--method"] + way)
    #expect(object["ok"] as? Bool == true, "\(object)")
    #expect(object["method"] as? String == way.first)
    #expect(values(object)["codiceFiscale"] == "PRVGSM80X99Z999G")
    #expect(values(object)["dataNascita"] == "1980-01-11")
    let status = try json(["status"])
    #expect(status["state"] as? String == "userAuth")
    #expect(try json(["logout"])["providerTold"] as? Bool == true)
    #expect(try ReportedError(json(["status"])).exit == 16)
  }

  @Test(arguments: [["oidc"], ["spid", "--provider", "posteid"]])
  func `a person who says no in the browser is not signed in`(_ way: [String]) throws {
    let object = try json(["login", "--open", "--method"] + way, ["SAY": "deny"])
    #expect(try ReportedError(object).exit == 11)
    #expect(try ReportedError(json(["status"])).name == "not-signed-in")
  }

  @Test func `the card and a service's description end in an account, too`() throws {
    try home.write("pin", [UInt8]("27182818\n".utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: home.path("pin"))
    let object = try json([
      "login", "--method", "card", "--virtual", "--pin-file", home.path("pin"), "--consent", "yes",
    ])
    #expect(object["ok"] as? Bool == true, "\(object)")
    #expect(object["samlStatus"] != nil && object["state"] as? String == "userAuth")
    let claims = try json(["claims"])
    #expect(values(claims)["nome"] == "GELSOMINA")
    #expect(try json(["claims", "cognome"])["values"] as? [String] == ["PROVA"])
  }

  @Test func `a picture among the claims is written as bytes`() throws {
    let object = try json(
      ["login", "--open", "--method", "identity-app"], ["PERSON": "code", "SAY": "approve"],
      description: "serviceInsecure")
    #expect(object["ok"] as? Bool == true, "\(object)")
    let names = object["claims"] as? [String] ?? []
    let photo = try #require(names.first { $0.contains("photo") })
    #expect(try json(["claims", photo, "--out", home.path("face")])["out"] != nil)
    let bytes = try Data(contentsOf: home.url.appendingPathComponent("face"))
    #expect(bytes.count > 50 && bytes.prefix(3) != Data("/9j".utf8))
    let other = try ReportedError(json(["claims", "sub", "--out", home.path("other")]))
    #expect(["claim-not-binary", "no-such-claim"].contains(other.name))
  }

  @Test func `the token alone is printed, and nobody is signed in`() throws {
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

  @Test func `no password, code or token is among the arguments or in what is told`() throws {
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
