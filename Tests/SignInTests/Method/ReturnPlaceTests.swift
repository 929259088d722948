import Web
import Primitives
import TestSupport
import Testing

@testable import SignIn

/// Places where a person's browser ends, and the addresses that match them.
@Suite struct ReturnPlaceTests {
  @Test(arguments: [
    ("http://127.0.0.1/signed-in", ReturnPlace.loopback(path: "/signed-in", port: nil)),
    ("http://127.0.0.1:8421/a/b", .loopback(path: "/a/b", port: 8421)),
    ("https://app.example/back", .registered("https://app.example/back")),
    ("org.example.app:/back", .registered("org.example.app:/back")),
    ("org.example.app://back", .registered("org.example.app://back")),
  ])
  func `an address is of this machine, of a website or of an app`(
    _ text: String, _ place: ReturnPlace
  ) {
    #expect(ReturnPlace(text) == place)
  }

  /// RFC 8252 §7.1: a scheme must be a reversed domain name; §8.3: not `localhost`, which may be another machine.
  @Test(arguments: [
    "", "http://127.0.0.1", "http://127.0.0.1/", "http://localhost/a", "http://127.0.0.2/a",
    "http://[::1]/a",
    "http://127.0.0.1/a?b=c", "http://127.0.0.1/a#b", "https://app.example/a?b",
    "http://app.example/a",
    "myapp:/back", "javascript:alert(1)", "org.example.app:", "org.example.app:/a?b",
    "org.example.app:/a b",
    "Org.example:/a", "org.example.app:/\u{E9}",
  ])
  func `any other is none`(_ text: String) { #expect(ReturnPlace(text) == nil) }

  @Test func `of a registered address only the query may be more`() {
    let place = ReturnPlace.registered("org.example.app:/back")
    #expect(
      place.items(of: "org.example.app:/back?code=a%2Bb+c&state=s#x")
        == [QueryItem("code", "a+b c"), QueryItem("state", "s")])
    for other in [
      "org.example.app:/back", "org.example.app:/back/?code=a", "org.example.app:/backdoor?code=a",
      "ORG.example.app:/back?code=a", "org.example.app:/back?code=a&code=b",
      "org.example.app:/back?code=%", "https://org.example.app/back?code=a",
    ] { #expect(place.items(of: other) == nil, "\(other)") }
  }

  @Test func `a service's own address has a code or an error, at one of its servers`() throws {
    let place = ReturnPlace.hosts([try RedirectURL("https://sp.test/").origin])
    #expect(place.items(of: "https://sp.test/any/page?code=a&x=y")?.count == 2)
    #expect(place.items(of: "https://sp.test:443/?error=nr22#top") == [QueryItem("error", "nr22")])
    for other in [
      "https://sp.test/", "https://sp.test/?x=y", "http://sp.test/?code=a",
      "https://sp.test:444/?code=a",
      "https://sp.test.evil.test/?code=a", "https://evil.test/?code=a&u=https://sp.test/",
      "https://sp.test@evil.test/?code=a", "https://sp.test/?code=a&code=b", "code=a",
    ] { #expect(place.items(of: other) == nil, "\(other)") }
  }

  /// SPID and bank end at the service's own servers, unless the service supports our extension.
  @Test func `an entry says where its service ends`() throws {
    func place(_ more: String) throws -> ReturnPlace {
      let text = #"{"base":"https://sp.test/spid/"\#(more)}"#
      var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: nil)
      return try SPIDSignIn(&entry).place
    }
    let (own, other) = (
      try RedirectURL("https://sp.test/").origin, try RedirectURL("https://app.test:8443/").origin
    )
    #expect(try place("") == .hosts([own]))
    #expect(try place(#","returnHosts":["app.test:8443"]"#) == .hosts([other]))
    #expect(
      try place(#","returnUrl":"http://127.0.0.1:99/x""#) == .loopback(path: "/x", port: 99))
    for wrong in [
      #","returnUrl":"https://sp.test/x""#, #","returnUrl":"org.example:/x""#,
      #","returnUrl":"http://127.0.0.1/x","returnHosts":["sp.test"]"#,
    ] {
      expectUnfit(.wrongMember("returnUrl")) { try place(wrong) }
    }
  }
}
