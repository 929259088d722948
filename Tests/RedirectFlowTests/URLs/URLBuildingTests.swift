import RedirectFlow
import Testing

@Suite struct URLBuildingTests {
  @Test func encodesWhateverCouldBecomeAnotherParameter() throws {
    let url = try RedirectURL("https://a.example/x").adding([
      QueryItem("a b", "+/=&%#?"), QueryItem("à", "\r\n\0"), QueryItem("k-._~9", ""),
    ])
    #expect(
      url.text
        == "https://a.example/x?a%20b=%2B%2F%3D%26%25%23%3F&%C3%A0=%0D%0A%00&k-._~9=")
    #expect(try RedirectURL(url.text) == url)
  }

  private static let addsBehindWhatIsThereTable: [(String, String)] = [
    ("https://a.example/x", "https://a.example/x?k=v"),
    ("https://a.example/x?", "https://a.example/x?k=v"),
    ("https://a.example/x?a=%41", "https://a.example/x?a=%41&k=v"),
    ("https://a.example/x#f", "https://a.example/x?k=v"),
  ]

  @Test(arguments: addsBehindWhatIsThereTable)
  func addsBehindWhatIsThere(_ text: String, _ expected: String) throws {
    let url = try RedirectURL(text, allowingFragment: true).adding([QueryItem("k", "v")])
    #expect(url.text == expected)
    #expect(try RedirectURL(expected) == url)
  }

  @Test func addsNothing() throws {
    let url = try RedirectURL("https://a.example/x")
    #expect(url.adding([]) == url)
  }

  @Test func writesForms() {
    #expect([QueryItem("a", "1 2"), QueryItem("b", "+")].encoded == "a=1%202&b=%2B")
  }

  /// RFC 3986 §5.4.1 and §5.4.2, as far as they are legal here.
  private static let resolvesReferencesTable: [(String, String)] = [
    ("g", "https://a/b/c/g"), ("./g", "https://a/b/c/g"), ("g/", "https://a/b/c/g/"),
    ("/g", "https://a/g"), ("//g", "https://g/"), ("?y", "https://a/b/c/d;p?y"),
    ("g?y", "https://a/b/c/g?y"), ("#s", "https://a/b/c/d;p?q#s"), ("g#s", "https://a/b/c/g#s"),
    ("g?y#s", "https://a/b/c/g?y#s"), (";x", "https://a/b/c/;x"), ("g;x", "https://a/b/c/g;x"),
    ("", "https://a/b/c/d;p?q"), (".", "https://a/b/c/"), ("./", "https://a/b/c/"),
    ("..", "https://a/b/"), ("../", "https://a/b/"), ("../g", "https://a/b/g"),
    ("../..", "https://a/"), ("../../g", "https://a/g"), ("../../../g", "https://a/g"),
    ("/./g", "https://a/g"), ("/../g", "https://a/g"), ("g.", "https://a/b/c/g."),
    ("..g", "https://a/b/c/..g"), ("./../g", "https://a/b/g"), ("./g/.", "https://a/b/c/g/"),
    ("g/./h", "https://a/b/c/g/h"), ("g/../h", "https://a/b/c/h"),
    ("g?y/../x", "https://a/b/c/g?y/../x"), ("g#s/../x", "https://a/b/c/g#s/../x"),
    ("https://z.example/", "https://z.example/"),
  ]

  @Test(arguments: resolvesReferencesTable)
  func resolvesReferences(_ reference: String, _ expected: String) throws {
    let base = try RedirectURL("https://a/b/c/d;p?q")
    #expect(try base.resolving(reference, allowingFragment: true).text == expected)
  }

  private static let judgesWhatReferencesLeadToTable: [(String, URLProblem)] = [
    ("javascript:alert(1)", URLProblem.unsupportedScheme), ("https:g", .missingAuthority),
    ("//b@c/", .userInformation), ("/%2e%2e/", .encodedDot), ("a b", .space), ("\\\\b", .backslash),
    ("///", .emptyHost), ("#s", .fragment), ("..;/x", .dotSegment), ("data:,x", .unsupportedScheme),
    ("/\u{301}", .notASCII), ("https://z.example/../", .dotSegment),
  ]

  @Test(arguments: judgesWhatReferencesLeadToTable)
  func judgesWhatReferencesLeadTo(_ reference: String, _ problem: URLProblem) throws {
    let base = try RedirectURL("https://a/b/c/d;p?q")
    #expect(throws: problem) { try base.resolving(reference) }
  }
}
