import TestSupport
import Testing

@testable import Web

/// Addresses as browsers read them.
@Suite struct PageURLTests {
  private struct Row: Decodable {
    let input: String
    let base: String?
    let failure: Bool?
    let href: String?
    let hostname: String?
    let userInformation: Bool?

    /// The inputs for which this library is stricter than browsers: user information, hosts that no name server has,
    /// and names that IDNA 2008 (RFC 5892) does not allow, a snowman and a Punycode that overflows.
    var isRefusedHere: Bool {
      let labels = (hostname ?? "").split(separator: ".", omittingEmptySubsequences: false)
      let isStrange = (hostname ?? "").contains { "!\"$&'()*+,;=`{}~".contains($0) }
      let isEmpty = labels.dropLast(labels.last?.isEmpty == true ? 1 : 0).contains { $0.isEmpty }
      let isUnregistrable = labels.contains { ["xn--", "xn--n3h", "xn--pokxncvks"].contains($0) }
      return userInformation == true || isStrange || isEmpty || hostname == "." || isUnregistrable
    }
  }

  private func read(_ text: String, _ base: String? = nil) throws -> RedirectURL {
    try RedirectURL(
      asBrowsersRead: text, on: base.map { (base) in try RedirectURL(asBrowsersRead: base) })
  }

  @Test func published() throws {
    let rows = try Vectors.cases("page-urls", of: Row.self)
    #expect(rows.filter { $0.failure != true && !$0.isRefusedHere }.count >= 198)
    for row in rows {
      let url = try? read(row.input, row.base)
      let expected = row.failure == true || row.isRefusedHere ? nil : row.href
      #expect(url?.text == expected, "\(row.input.debugDescription) on \(row.base ?? "-")")
      // The compared and sent text is read back as the same URL.
      if let url { #expect(try read(url.text) == url) }
    }
  }

  /// RFC 3986 §5.4.1 and §5.4.2.
  private static let referencesTable: [(String, String)] = [
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
    ("https://z.example/", "https://z.example/"), ("https:g", "https://a/b/c/g"),
    // Addresses of real services.
    (" /x?a[]={1}&b=\"2\" ", "https://a/x?a[]={1}&b=%222%22"), ("\\\\h\\x", "https://h/x"),
    ("/a b|c^d`", "https://a/a%20b|c%5Ed%60"), ("/%E0%zz", "https://a/%E0%zz"),
    ("//my_app.example:443/\r\n x", "https://my_app.example/%20x"),
    ("//CITTÀ.example./x", "https://xn--citt-3na.example./x"), ("//0x7f.1/", "https://127.0.0.1/"),
  ]

  @Test(arguments: referencesTable)
  func resolves(_ reference: String, _ expected: String) throws {
    #expect(try read(reference, "https://a/b/c/d;p?q").text == expected)
  }

  @Test(arguments: [
    ("javascript:alert(1)", RedirectURL.Problem.unsupportedScheme), ("//b@c/", .userInformation),
    ("///", .emptyHost), ("data:,x", .unsupportedScheme), ("//a:70000/", .invalidPort),
    ("//a%00b/", .invalidHost), ("//a,b/", .invalidHost), ("//1.2.3.256/", .ambiguousNumericHost),
    ("//[::1]x/", .invalidIPv6), ("//\u{2024}/", .invalidHost), ("//xn--a/", .invalidHost),
  ])
  func refuses(_ reference: String, _ problem: RedirectURL.Problem) throws {
    let base = try read("https://a/b/c/d;p?q")
    #expect(throws: problem) { try RedirectURL(asBrowsersRead: reference, on: base) }
  }

  @Test func needsAnAddress() {
    #expect(throws: RedirectURL.Problem.empty) { try read(" \n") }
    #expect(throws: RedirectURL.Problem.missingScheme) { try read("a.example/x") }
    let long = "https://a/?" + String(repeating: "z", count: RedirectURL.pageLengthLimit)
    #expect(throws: RedirectURL.Problem.tooLong) { try read(long) }
    #expect(throws: Never.self) { try read(String(long.dropLast(11))) }
  }

  /// Browsers read every accepted text of the strict parser alike; a text that it refuses is never a disguised accepted
  /// one.
  @Test func agreesWithTheStrictJudge() throws {
    for text in [Links.card, Links.level2, "https://a.example", "https://[::1]:8443/x?y#z"] {
      guard let strict = try? RedirectURL(text, allowingFragment: true) else {
        Issue.record("\(text)")
        continue
      }
      let url = try read(text)
      #expect(url == strict)
    }
    for text in HostileURLs.all.map(\.text) {
      guard let url = try? read(text) else { continue }
      #expect(url.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      #expect(try read(url.text) == url)
    }
  }
}
