@testable import Web
import RedirectFlow
import TestSupport
import Testing

@Suite struct LoginEnvironmentTests {
  private static let good = """
    {"name": "sandbox", "idp": "https://localhost:8443/idp/",
     "linkHosts": ["localhost:8443", "ios.localhost:8444", "[::1]"],
     "nextPaths": ["/idp/Authn/X509", "/a%20b"], "method": "signed-challenge", "ca": "ca.pem"}
    """

  private func read(_ json: String) throws -> LoginEnvironment {
    try LoginEnvironment(json: [UInt8](json.utf8), folder: "")
  }

  @Test func readsAFile() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("e.json", [UInt8](Self.good.utf8))
    let environment = try LoginEnvironment(file: path)
    #expect(environment.name == "sandbox")
    #expect(environment.identityProvider.text == "https://localhost:8443/idp/")
    #expect(
      Set(environment.linkOrigins.map { "\($0)" })
        == ["https://localhost:8443", "https://ios.localhost:8444", "https://[::1]"])
    #expect(environment.nextPaths == ["/idp/Authn/X509", "/a%20b"])
    #expect(environment.method == .signedChallenge)
    #expect(environment.authorityFile == folder.path("ca.pem"))
    #expect(environment.loginEndpoint.text == "https://localhost:8443/idp/Authn/SSL/Login2")
    #expect(environment.using(.clientCertificate).method == .clientCertificate)
  }

  @Test func hasDefaults() throws {
    let environment = try read(
      #"{"name":"a","idp":"https://a.example/","linkHosts":["a.example"],"nextPaths":["/n"]}"#)
    #expect(environment.method == .clientCertificate)
    #expect(environment.authorityFile == nil)
    let absolute = try read(
      Self.good.replacing("\"ca.pem\"", with: "\"/etc/ssl/\\u0063\\ud83d\\ude00.pem\""))
    #expect(absolute.authorityFile == "/etc/ssl/c😀.pem")
  }

  /// A text of the good file, its bad replacement, and the reason of the refusal.
  private static let refusesABadFileTable: [(String, String, LoginEnvironment.FileError)] = [
    ("\"sandbox\"", "\"production\"", LoginEnvironment.FileError.invalidName),
    ("\"sandbox\"", "\"\"", .invalidName), ("\"sandbox\"", "\"a b\"", .invalidName),
    ("\"sandbox\"", "\"\(String(repeating: "a", count: 65))\"", .invalidName),
    ("\"sandbox\"", "1", .wrongType("name")), ("\"name\"", "\"nome\"", .missingMember("name")),
    ("\"ca\"", "\"CA\"", .unknownMember("CA")), ("\"ca\"", "\"name\"", .repeatedMember("name")),
    ("\"ca\"", "\"n\\u0061me\"", .repeatedMember("name")),
    ("\"ca.pem\"", "\"\"", .wrongType("ca")), ("\"ca.pem\"", "null", .wrongType("ca")),
    ("\"signed-challenge\"", "\"tls\"", .unknownMethod("tls")),
    ("https://localhost:8443/idp/", "http://localhost:8443/idp/", .notHTTPS("idp")),
    ("https://localhost:8443/idp/", "https://localhost:8443/idp", .notABase),
    ("https://localhost:8443/idp/", "https://localhost:8443/idp/?x=/", .notABase),
    ("https://localhost:8443/idp/", "https://localhost:8443/idp//", .notABase),
    ("https://localhost:8443/idp/", "https://localhost:8443//idp/", .notABase),
    ("https://localhost:8443/idp/", "localhost", .url("idp", .missingScheme)),
    (
      "https://localhost:8443/idp/", "https://idserver.servizicie.interno.gov.it/idp/",
      .builtInHost("idserver.servizicie.interno.gov.it")
    ),
    ("https://localhost:8443/idp/", "https://X.Interno.Gov.It/", .builtInHost("x.interno.gov.it")),
    ("\"[::1]\"", "\"interno.gov.it:1\"", .builtInHost("interno.gov.it")),
    ("\"[::1]\"", "\"https://a.example\"", .url("linkHosts", .invalidPort)),
    ("\"[::1]\"", "\"a.example/x\"", .url("linkHosts", .invalidHost)),
    ("\"[::1]\"", "\"a.example/\"", .url("linkHosts", .invalidHost)),
    ("\"[::1]\"", "\"a.example?\"", .url("linkHosts", .invalidHost)),
    ("\"[::1]\"", "\"u@a.example\"", .url("linkHosts", .userInformation)),
    ("\"[::1]\"", "\"\"", .url("linkHosts", .emptyHost)),
    ("\"[::1]\"", "\"*.example\"", .url("linkHosts", .invalidHost)),
    ("\"[::1]\"", "1", .wrongType("linkHosts")),
    ("[\"/idp/Authn/X509\", \"/a%20b\"]", "[]", .wrongType("nextPaths")),
    ("[\"/idp/Authn/X509\", \"/a%20b\"]", "\"/\"", .wrongType("nextPaths")),
    ("/a%20b", "a", .invalidPath("a")), ("/a%20b", "", .invalidPath("")),
    ("/a%20b", "/a?b", .invalidPath("/a?b")), ("/a%20b", "/a//b", .invalidPath("/a//b")),
    ("/a%20b", "/../a", .invalidPath("/../a")), ("/a%20b", "//a", .invalidPath("//a")),
    ("/a%20b", ":1/a", .invalidPath(":1/a")), ("/a%20b", "@b/a", .invalidPath("@b/a")),
  ]

  @Test(arguments: refusesABadFileTable)
  func refusesABadFile(_ good: String, _ bad: String, _ problem: LoginEnvironment.FileError) {
    #expect(throws: problem) { try read(Self.good.replacing(good, with: bad)) }
  }

  private static let refusesWhatIsNotJSONTable: [(String, Int)] = [
    ("", 0), ("  ", 2), ("{", 1), ("{}x", 2), ("nul", 0), ("[1,]", 3), ("{\"a\":1,}", 7),
    ("{a:1}", 1), ("{\"a\" 1}", 5), ("[01]", 2), ("[1.]", 3), ("[-]", 2), ("[1e]", 3),
    ("'a'", 0), ("\"", 1), ("\"\\x\"", 3), ("\"\\ud800\"", 7), ("\"\\udc00\"", 7),
    ("\"\\ud800\\u0041\"", 13), ("\"\\u12g4\"", 3), ("\"\n\"", 2), ("{} {}", 3), ("\u{FEFF}{}", 0),
    (String(repeating: "[", count: 20_000), 16), ("[1 2]", 3), ("+1", 0), ("// c", 0),
  ]

  @Test(arguments: refusesWhatIsNotJSONTable)
  func refusesWhatIsNotJSON(_ text: String, _ offset: Int) {
    #expect(throws: LoginEnvironment.FileError.notJSON(offset: offset)) { try read(text) }
  }

  @Test(arguments: ["[]", "1", "null", "true", "-0.5e+3", "\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "[{}]"])
  func refusesOtherJSON(_ text: String) {
    #expect(throws: LoginEnvironment.FileError.notAnObject) { try read(text) }
  }

  @Test func refusesWhatItCannotRead() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: LoginEnvironment.FileError.unreadable(errno: 2)) {
      try LoginEnvironment(file: folder.path("none"))
    }
    #expect(throws: LoginEnvironment.FileError.unreadable(errno: 21)) {
      try LoginEnvironment(file: folder.path(""))
    }
    #expect(throws: LoginEnvironment.FileError.tooLarge) {
      try LoginEnvironment(
        file: try folder.write("l", [UInt8](repeating: UInt8(ascii: " "), count: 65537)))
    }
    #expect(throws: LoginEnvironment.FileError.notJSON(offset: 1)) {
      try LoginEnvironment(file: try folder.write("l", [UInt8(ascii: "\""), 0xFF, 0x22]))
    }
  }

  @Test func neverTraps() {
    for bytes in Mutations.of(Self.good) {
      guard let environment = try? LoginEnvironment(json: bytes, folder: "") else { continue }
      #expect(environment.identityProvider.scheme == .https)
    }
  }

  @Test func builtInEnvironmentsAreWhatTheyAre() throws {
    #expect(LoginEnvironment.builtIn.map(\.name) == ["production", "preproduction", "collaudo"])
    let hosts = ["", "preproduzione.", "collaudo."].map {
      $0 + "idserver.servizicie.interno.gov.it"
    }
    for (environment, host) in zip(LoginEnvironment.builtIn, hosts) {
      #expect(environment.identityProvider.text == "https://\(host)/idp/")
      #expect(environment.loginEndpoint.text == "https://\(host)/idp/Authn/SSL/Login2")
      #expect(environment.challengeEndpoint.text == "https://\(host)/idp/Authn/X509TLS13First")
      #expect(
        environment.challengeCompletion.text
          == "https://\(host)/idp/Authn/X509MobileTLS13Second")
      #expect(
        Set(environment.linkOrigins.map(\.host)) == [host, "ios." + host])
      #expect(environment.nextPaths == ["/idp/Authn/X509"])
      #expect(environment.authorityFile == nil)
    }
  }
}
