@testable import Web
import RedirectFlow
import Testing

@Suite struct RedirectURLTests {
  @Test(arguments: HostileURLs.all)
  func refusesWithTheRightReason(_ hostile: HostileURLs.Case) {
    #expect(throws: hostile.problem) { try RedirectURL(hostile.text) }
  }

  @Test func theTableIsLargeAndKnowsEveryReason() {
    #expect(HostileURLs.all.count >= 200)
    #expect(Set(HostileURLs.all.map(\.text)).count == HostileURLs.all.count)
    // Only the link parsers give the last reason.
    let reasons = Set(HostileURLs.all.map(\.problem)).union([.emptySegment])
    #expect(reasons == Set(RedirectURL.Problem.allCases))
  }

  /// A text, and the canonical text of its URL.
  private static let keepsWhatIsRightTable: [(String, String)] = [
    ("https://a.example", "https://a.example/"),
    ("HTTPS://A.Example/Path", "https://a.example/Path"),
    ("https://a.example:443/x", "https://a.example/x"),
    ("http://a.example:80/", "http://a.example/"),
    ("http://a.example:443/", "http://a.example:443/"),
    ("https://localhost:8443/idp/", "https://localhost:8443/idp/"),
    ("https://127.0.0.1:1/", "https://127.0.0.1:1/"),
    ("https://[0:0:0:0:0:0:0:1]:65535/", "https://[::1]:65535/"),
    ("https://[::FFFF:127.0.0.1]/", "https://[::ffff:7f00:1]/"),
    ("https://xn--idserver-1ya.example/", "https://xn--idserver-1ya.example/"),
    ("https://a.example?", "https://a.example/?"),
    ("https://a.example?x=1", "https://a.example/?x=1"),
    ("https://a.example/?x=https://b.example/?y", "https://a.example/?x=https://b.example/?y"),
    ("https://a.example//b//", "https://a.example//b//"),
    ("https://a.example/...;a/.a/a./%C3%A0;b", "https://a.example/...;a/.a/a./%C3%A0;b"),
    ("https://a.example/?x=%00%2F%2e..", "https://a.example/?x=%00%2F%2e.."),
    ("https://a.0xg/", "https://a.0xg/"),
    ("https://1a.example/", "https://1a.example/"),
  ]

  @Test(arguments: keepsWhatIsRightTable)
  func keepsWhatIsRight(_ written: String, _ text: String) throws {
    let url = try RedirectURL(written)
    #expect(url.text == text)
    #expect(try RedirectURL(url.text) == url)
  }

  @Test func takesTheLongestURL() throws {
    let text = "https://a.example/" + String(repeating: "a", count: 8192 - 18)
    #expect(try RedirectURL(text).text == text)
  }

  @Test func givesItsParts() throws {
    let url = try RedirectURL(
      "https://A.example:8443/idp/x;y=1?a=1%2B+2&b&=c&a=%C3%A0%26%3D&d=e=f#%2Ffrag/?",
      allowingFragment: true)
    #expect(url.scheme == .https)
    #expect(url.host == "a.example")
    #expect(url.port == 8443)
    #expect(url.path == "/idp/x;y=1")
    #expect(url.query == "a=1%2B+2&b&=c&a=%C3%A0%26%3D&d=e=f")
    #expect(url.fragment == "%2Ffrag/?")
    #expect("\(url.origin)" == "https://a.example:8443")
    #expect(
      url.queryItems == [
        QueryItem("a", "1++2"), QueryItem("b", ""), QueryItem("", "c"), QueryItem("a", "à&="),
        QueryItem("d", "e=f"),
      ])
    #expect(url.value(of: "d") == "e=f")
    #expect(url.value(of: "a") == nil)
    #expect(url.value(of: "z") == nil)
    #expect(try RedirectURL("https://a.example/?").queryItems.isEmpty)
  }

  @Test func judgesAllowedFragmentsToo() {
    #expect(throws: RedirectURL.Problem.forbiddenCharacter) {
      try RedirectURL("https://a.example/#a#b", allowingFragment: true)
    }
    #expect(throws: RedirectURL.Problem.malformedEscape) {
      try RedirectURL("https://a.example/#%", allowingFragment: true)
    }
  }

  @Test func hidesWhatItCarries() throws {
    let url = try RedirectURL("https://a.example/x?codice=123#token", allowingFragment: true)
    var dumped = ""
    dump(url, to: &dumped)
    for text in ["\(url)", String(reflecting: url), dumped, "\([url])"] {
      #expect(!text.contains("123") && !text.contains("token"))
      #expect(text.contains("https://a.example/x?…#…"))
    }
  }

  /// Every prefix and every change of one byte is either the same kind of value or a typed problem.
  @Test(arguments: [
    "https://idserver.servizicie.interno.gov.it/idp/Authn/X509?conversation=e1s1&login=1#f",
    "http://[2001:db8::7]:8080/a%C3%A0;b/?x=%2F&y=+",
  ])
  func neverTraps(_ text: String) {
    for bytes in Mutations.of(text) {
      let mutated = String(decoding: bytes, as: UTF8.self)
      guard let url = try? RedirectURL(mutated, allowingFragment: true) else { continue }
      #expect((try? RedirectURL(url.text, allowingFragment: true)) == url)
    }
  }
}
