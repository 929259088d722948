import TestSupport
import Testing
import VirtualCIE

/// Command lines, environments and configuration files of `cie-read login`.
extension LoginTests {
  @Test(arguments: [
    (["login", "--virtual"], "no-start"),
    (
      ["login", "--virtual", "https://a.example/", "--sp-url", "https://b.example/"],
      "several-starts"
    ),
    (["login", "--virtual", "-", "--timeout", "0"], "bad-timeout"),
    (["login", "--virtual", "-", "--timeout", "601"], "bad-timeout"),
    (["login", "--virtual", "-", "--policy", "none"], "bad-value"),
    (["login", "--virtual", "-", "--environment", "/proc/nonexistent"], "environment-invalid"),
    (["login", "--virtual", "-", "--config", "/proc/nonexistent"], "input-unreadable"),
    (
      ["login", "--virtual", "--sp-url", "https://a.example/", "--cookies", "/"],
      "output-unwritable"
    ),
    (["login", "--virtual", "-", "--browser"], "wrong-start"),
    (["login", "--virtual", "--browser"], "no-start"),
    (["login", "--virtual", "--browser", "lynx"], "bad-value"),
    (["login", "--virtual", "--browser=lynx"], "bad-value"),
    (["login", "--virtual", "--browser=firefox"], "no-start"),
    (
      ["login", "--virtual", "--sp-url", "https://a.example/", "--browser", "--cookies", "/tmp/c"],
      "wrong-start"
    ),
    (
      ["login", "--virtual", "--sp-url", "https://a.example/", "--browser", "--expect", "text:a"],
      "wrong-start"
    ),
  ])
  func `a wrong command line of login has a named error`(_ arguments: [String], _ name: String)
    throws
  {
    let (object, result) = try Program.json(arguments)
    #expect(try ReportedError(object).name == name)
    #expect(result.exitStatus == (name == "output-unwritable" ? 1 : 64))
  }

  @Test(arguments: [
    ("http://sp.example/", "not-https"), ("sp.example", "url-malformed"),
    ("https://user@sp.example/", "url-malformed"),
  ])
  func `an untrusted page is refused`(_ page: String, _ name: String) throws {
    let (object, result) = try Program.json(
      ["login", "--virtual", "--sp-url", page], input: Persona.gemalto.pin)
    #expect(try ReportedError(object).name == name)
    #expect(result.exitStatus == 15)
  }

  @Test func `--browser without a browser fails before the card is asked`() throws {
    let (object, result) = try Program.json(
      ["login", "--virtual", "--sp-url", "https://a.example/", "--browser"],
      environment: ["PATH": "/proc/nonexistent"])
    #expect(try ReportedError(object).name == "no-desktop-program")
    #expect(result.exitStatus == 64)
  }

  /// A link of the sandbox is invalid in production, and vice versa.
  @Test func `hosts of another environment are refused`() throws {
    let sandbox = try LoginSandbox.fresh()
    let link = try sandbox.cardLink()
    let (object, _) = try Program.json(["login", link, "--virtual"], input: Persona.gemalto.pin)
    #expect(try ReportedError(object).name == "link-foreign-host")
    let real =
      "https://idserver.servizicie.interno.gov.it/OpenApp?nextUrl="
      + "https://idserver.servizicie.interno.gov.it/idp/Authn/X509&name=conversation&value=e1s1"
      + "&authnRequestString=x&OpText=x&imgUrl=x"
    let (other, _) = try Program.json(try sandbox.assisted(real), input: Persona.gemalto.pin)
    #expect(try ReportedError(other).name == "link-foreign-host")
  }

  /// Option before environment variable before file.
  @Test func `options precede the environment, which precedes the file`() throws {
    let sandbox = try LoginSandbox.fresh()
    let directory = try TemporaryDirectory()
    let page = try sandbox.address("spLogin")
    let environment = try sandbox.environment()
    let good = try directory.write(
      "good", [UInt8]("# kiosk\nSP_URL=\(page)\n\nCIE_ENVIRONMENT = x\n".utf8))
    #expect(try Program.run(["login", "--virtual", "--config", good]).exitStatus == 64)
    let file = try directory.write(
      "file", [UInt8]("SP_URL=\(page)\nCIE_ENVIRONMENT=\(environment)\n".utf8))
    func exit(_ arguments: [String], _ variables: [String: String] = [:]) throws -> CInt? {
      try Program.run(
        ["login", "--virtual", "--consent", "yes"] + arguments, input: Persona.gemalto.pin,
        environment: variables
      ).exitStatus
    }
    #expect(try exit(["--config", file]) == 0)
    #expect(try exit([], ["SP_URL": page, "CIE_ENVIRONMENT": environment]) == 0)
    #expect(try exit(["--config", file], ["SP_URL": "http://x.example/"]) == 15)
    #expect(try exit(["--config", file, "--sp-url", page], ["SP_URL": "http://x.example/"]) == 0)
    #expect(try exit(["--config", file], ["SP_URL_SCHEME": "no scheme"]) == 64)
    for text in ["SP_URL\n", "OTHER=1\n", "SP_URL=a\nSP_URL=b\n"] {
      let bad = try directory.write("bad", [UInt8](text.utf8))
      let (object, _) = try Program.json(["login", "--virtual", "--config", bad])
      #expect(try ReportedError(object).name == "config-invalid")
    }
  }

  @Test func `a file cannot change the built-in hosts`() throws {
    let directory = try TemporaryDirectory()
    let text = """
      {"name": "mine", "idp": "https://idserver.servizicie.interno.gov.it/idp/",
       "linkHosts": ["idserver.servizicie.interno.gov.it"], "nextPaths": ["/idp/Authn/X509"]}
      """
    let file = try directory.write("environment.json", [UInt8](text.utf8))
    let (object, _) = try Program.json(["login", "-", "--virtual", "--environment", file])
    #expect(try ReportedError(object).name == "environment-invalid")
  }
}
