import Testing

@testable import RedirectFlow

/// No page ends the program, or keeps it busy for long.
@Suite struct HostilePageTests {
  private func read(_ body: [UInt8]) throws -> Page {
    try Page(body: body, url: "https://idp.example/")
  }

  private func read(repeating text: String, filling size: Int = 1 << 20) throws -> Page {
    try read([UInt8](String(repeating: text, count: size / text.utf8.count).utf8))
  }

  @Test func everyPrefixAndEveryChangedByteOfAPage() {
    let page = Array(
      """
      <!DOCTYPE html><html><head><meta charset="utf-8"><base href="/a/"><title>T &amp; è</title>
      <script>var a = "x\\u00e8\\"", b = 'y'; // c
      /* d */ document.forms[0].submit()</script></head><body onload="go('f').submit()">
      <form id="f" action="../b?c=d" method="post"><input type=hidden name=n value="&#x41;&#0;&#99999999;">
      <select name=s><option selected>o</select><noscript><button name=q>z</button></noscript></form>
      <a href="CIEID://x?y=z">w</a><![CDATA[q]]><!-- r --></body></html>
      """.utf8)
    for length in page.indices { _ = try? read(Array(page.prefix(length))) }
    for index in page.indices {
      for byte in [0x00, 0x22, 0x3C, 0x80, 0xFF] as [UInt8] {
        var changed = page
        changed[index] = byte
        _ = try? read(changed)
      }
    }
    #expect(throws: Never.self) { try read(page) }
  }

  @Test func nothing() {
    #expect(throws: PageError.empty) { try read([]) }
    #expect(throws: PageError.empty) { try read(Array("<!-- a -->".utf8)) }
  }

  @Test func tenMegabytes() {
    #expect(throws: PageError.tooLarge(limit: HTMLParser.sizeLimit)) {
      try read(repeating: "a", filling: 10 << 20)
    }
  }

  @Test func deepNesting() throws {
    for tag in ["<div>", "<b>", "<ul><li>", "<table><tr><td>"] {
      let problem = PageError.tooDeep(limit: HTMLParser.depthLimit)
      #expect(throws: problem) { try read(repeating: tag, filling: 100_000) }
      #expect(throws: problem) { try read(repeating: tag) }
    }
    let deep = String(repeating: "<div>", count: HTMLParser.depthLimit - 10) + "<a href=x>y"
    #expect(try read(Array(deep.utf8)).links.map(\.text) == ["y"])
  }

  @Test(arguments: [" a", " a=b", " a=\"\"", "/a", "\na"])
  func attributesWithoutEnd(text: String) {
    let body = "<p" + String(repeating: text, count: 200_000)
    #expect(throws: PageError.tooManyAttributes(limit: 2000)) { try read(Array(body.utf8)) }
  }

  /// White space and slashes between attributes are nothing.
  @Test(arguments: [" ", "\n", "/"])
  func spacesWithoutEnd(text: String) throws {
    let spaces = String(repeating: text, count: 200_000)
    #expect(throws: PageError.empty) { try read(Array("<p\(spaces)".utf8)) }
    #expect(try read(Array("<a\(spaces)href=/x>y".utf8)).links.map(\.text) == ["y"])
  }

  /// A walk through many open elements for each of many short tags ends with the budget.
  @Test(arguments: ["</p>", "</body>", "</x>"])
  func shortTagsInDeepPages(text: String) throws {
    let open =
      text == "</x>"
      ? "<svg>" + String(repeating: "<g>", count: 490) : String(repeating: "<i>", count: 490)
    let page = open + String(repeating: text, count: 40_000)
    let error = #expect(throws: PageError.self) { try read(Array(page.utf8)) }
    guard case .tooComplicated = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    "<", "<a", "<a ", "&", "&#", "\"", "<!--", "</p>", "<p>", "<a href=x>", "<br>", "</b><i>",
    "<form>",
    "</>", "<b><div></b>", "<a><p>", "<table>x", "<svg><p>", "<!-->", "&notit", "<template>",
    "<frameset>",
    "<svg>", "<math><mi>", "<form></form>", "<script>", "<script>'", "<script>a='b';</script>",
    "<input name=a>", "<option>", "<td>",
    "<![CDATA[",
    "<?x", "<title>", "<base href=x>", "\u{0}", "<a b='", "<li>", "<select name=s>", "<a></b>",
  ])
  func pagesFullOfOneThing(text: String) {
    let outcome = Result { try read(repeating: text) }
    if case .failure(let error) = outcome { #expect(error is PageError) }
  }

  @Test func bytesOfEveryKind() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let body = (0..<2000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      _ = try? read(body)
    }
    _ = try? read((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 167) })
  }

  @Test func scriptsWithoutEnd() throws {
    for text in ["'", "\"", "`", "/*", "\\", "'\\u", "a=", "a='b'", "{", "//", "`${"] {
      let script = "<p>x</p><script>" + String(repeating: text, count: 200_000)
      _ = try read(Array(script.utf8))
    }
  }
}
