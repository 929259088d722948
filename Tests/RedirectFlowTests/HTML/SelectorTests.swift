import Testing

@testable import RedirectFlow

/// Selectors, checked against their meaning in CSS Selectors Level 4.
@Suite struct SelectorTests {
  private static let html = """
    <html lang=it-IT><body><div id=main class="a  b"><ul><li class=x data-k="one two">1<li>2</ul>
    <section><p><span title="héllo">y</span></p></section></div><a href="/esci?x=1">Esci</a></body></html>
    """

  @Test(arguments: [
    "div", "DIV", "#main", ".a.b", "div#main.b", "ul li", "#main > ul > li.x", "* span",
    "body>div>section span", "[data-k]", "[data-k~=two]", "[lang|=it]", "a[href^='/esci']",
    "a[href$=\"x=1\"]", "[href*=esc]", "[title=héllo]", "nav, li", "div div, span", "html li",
    " .a  ul ", "[ data-k = 'one two' ]", "div section span",
  ])
  func finds(_ text: String) throws {
    let selector = try #require(Selector(text))
    #expect(try page().contains(selector))
  }

  @Test(arguments: [
    "nav", "#Main", ".c", "div.x", "li ul", "#main > li", "body > span", "[data-k=one]",
    "[lang|=en]", "[href^='']", "[href*='']", "span span", "div > div", "li.x li", "section > span",
    "[title=hello]", "head #main", "ul > ul", "p p",
  ])
  func doesNotFind(_ text: String) throws {
    let selector = try #require(Selector(text))
    #expect(try !page().contains(selector))
  }

  @Test(arguments: [
    "", " ", ",", "a,", "a:hover", "a::before", "a + b", "a ~ b", "#", ".", "[", "[]", "[a", "[a=]",
    "[a='b]", "> a", "a >", "a[b!=c]", "#1.2.", "a b)", "\\61", "a{", "@a",
    "Benvenuto, Sig. Rossi.",
  ])
  func refusesWhatItDoesNotKnow(_ text: String) {
    #expect(Selector(text) == nil)
  }

  private func page() throws -> Page {
    try Page(body: Array(Self.html.utf8), url: "https://sp.example/")
  }
}
