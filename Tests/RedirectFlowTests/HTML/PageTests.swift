import Testing

@testable import RedirectFlow
@testable import Web

@Suite struct PageTests {
  private func page(_ html: String, url: String = "https://idp.example/idp/login?e=1") throws
    -> Page
  {
    try Page(body: Array(html.utf8), url: url)
  }

  private func text(_ element: HTMLElement) throws -> String {
    var budget = PageBudget(size: 1000)
    return try element.text(&budget)
  }

  @Test func readsTitleAndText() throws {
    let page = try page(
      "<html><head><title> Entra con\n CIE &egrave; </title></head><body><p class='a  b'>x<b>y</b>")
    #expect(page.title == "Entra con CIE è")
    #expect(try page.elements(named: "p").map(text) == ["xy"])
    #expect(page.elements(named: "q").isEmpty)
  }

  @Test func readsTheAttributesOfAConsentPage() throws {
    let page = try page(
      """
      <table><tr class="attr"><th>Nome</th><td>ANNA<script>x()</script></td></tr>
      <tr class="attr"><th>Cognome</th><td>D&#39;ESTE</td></tr></table>
      <dl><dt>Data</dt><dd>1980-01-01</dd></dl>
      """)
    #expect(try page.elements(named: "tr").map(text) == ["Nome ANNA", "Cognome D'ESTE"])
    #expect(try page.elements(named: "dl").map(text) == ["Data 1980-01-01"])
  }

  @Test func resolvesLinks() throws {
    let page = try page(
      """
      <a href="/OpenApp?nextUrl=https://idp.example/idp/Authn/X509&amp;name=a">Entra con <i>lettura</i></a>
      <a href=' ../x y?q#f '>two</a> <a name="none">three</a> <a href="?a=b">four</a>
      <a href="CIEID://https://idp.example/OpenApp?A=b%2B">five</a> <a href="//other.example">six</a>
      <a href="javascript:go()">seven</a><a href="http://[::1">eight</a><a href="">nine</a>
      """)
    #expect(
      page.links == [
        .init(
          target: "https://idp.example/OpenApp?nextUrl=https://idp.example/idp/Authn/X509&name=a",
          text: "Entra con lettura"),
        .init(target: "https://idp.example/x%20y?q#f", text: "two"),
        .init(target: "https://idp.example/idp/login?a=b", text: "four"),
        .init(target: "CIEID://https://idp.example/OpenApp?A=b%2B", text: "five"),
        .init(target: "https://other.example/", text: "six"),
        .init(target: "javascript:go()", text: "seven"),
        .init(target: "http://[::1", text: "eight"),
        .init(target: "https://idp.example/idp/login?e=1", text: "nine"),
      ])
  }

  @Test func resolvesAgainstTheBase() throws {
    let page = try page(
      "<base href='/other/'><a href='x'>a</a><form action='y'></form><form></form>")
    #expect(page.links.map(\.target) == ["https://idp.example/other/x"])
    #expect(
      page.forms.map(\.action)
        == ["https://idp.example/other/y", "https://idp.example/idp/login?e=1"])
  }

  @Test func readsForms() throws {
    let page = try page(
      """
      <form id="consent" method="Post" action="consent"><table><tr><td>
        <input type="hidden" name="csrf" value="a&amp;b"><input name="user"><input type=password name=p value=1>
        <input type="checkbox" name="no"><input type="checkbox" name="yes" checked>
        <input type="hidden" name="off" disabled><input type="hidden" value="nameless">
        <select name="s"><option value="1">one<option selected>two</select></td></tr></table>
        <textarea name="t">x
      y</textarea>
        <button name="_eventId_proceed" value="1">Accetta <b>ora</b></button>
        <input type="submit" name="_eventId_cancel" value="Rifiuta"><button type="reset" name="r"></button>
        <button>Senza nome</button><input type="submit" value="Anche">
      </form><form action="/q"></form>
      """)
    let form = try #require(page.forms.first)
    #expect(page.forms.count == 2)
    #expect(form.identifier == "consent")
    #expect(form.action == "https://idp.example/idp/consent")
    #expect(form.method == .post)
    #expect(page.forms.last?.method == .get)
    #expect(form.value(of: "csrf") == "a&b")
    let buttons = form.fields.filter { $0.kind == .button }
    #expect(buttons.map(\.label) == ["Accetta ora", "Rifiuta", "Senza nome", "Anche"])
    #expect(
      form.submission(pressing: buttons.first).encoded
        == "csrf=a%26b&user=&p=1&yes=on&s=two&t=x%0Ay&_eventId_proceed=1")
    #expect(form.submission().encoded.hasSuffix("t=x%0Ay"))
    #expect(form.submission(pressing: buttons.last) == form.submission())
    #expect(page.autoSubmittedForm == nil)
  }

  /// HTML Living Standard §4.10.22.3: the pressed button precedes its form.
  @Test(arguments: [
    ("action=/refuse method=post", "formaction=/accept", "POST https://idp.example/accept"),
    ("action=/refuse method=post", "formaction='../x?y=z'", "POST https://idp.example/x?y=z"),
    ("action=/refuse method=post", "formaction=''", "POST https://idp.example/idp/login?e=1"),
    ("action=/refuse method=post", "", "POST https://idp.example/refuse"),
    ("action=/a", "formmethod=Post", "POST https://idp.example/a"),
    ("action=/a method=post", "formmethod=get", "GET https://idp.example/a?c=accept"),
    ("action=/a method=post", "formmethod=x", "GET https://idp.example/a?c=accept"),
    ("action=/a method=post", "formaction=//evil.example/b", "POST https://evil.example/b"),
    ("action=/a method=post", "formmethod=dialog", "unexpectedPage"),
    ("action=/a method=dialog", "", "unexpectedPage"),
    ("action=/a method=post", "formaction='https://[::1'", "navigation"),
    ("action=/a method=post", "formaction=http://idp.example/b", "navigation"),
  ])
  func followsTheButton(_ form: String, _ button: String, _ expected: String) throws {
    let page = try LoadedPage(
      try HTTPResponse(
        "<form \(form)><button name=c value=accept \(button)>Acconsento</button></form>"),
      at: try RedirectURL("https://idp.example/idp/login?e=1"))
    for (form, button) in try pressed(page) {
      do throws(LoginError) {
        let sent = try page.submission(of: form, pressing: button, at: .consent)
        if case .post = sent.method {
          #expect("POST " + sent.url.text == expected)
        } else {
          #expect("GET " + sent.url.text == expected)
        }
      } catch { #expect("\(error.cause)".hasPrefix(expected), "\(error)") }
    }
  }

  /// The button in its form, and as a control.
  private func pressed(_ page: LoadedPage) throws -> [(PageForm, PageForm.Control)] {
    let form = try #require(page.content.forms.first)
    guard case .submit(let other, let pressed)? = page.content.controls.first?.action else {
      return []
    }
    return [(form, try #require(form.onlyButton)), (other, try #require(pressed))]
  }

  /// The response goes to the target of its only button, unless a script sends the form without it; that target is
  /// checked.
  @Test(arguments: [
    (
      "<form method=post action=/a><input type=hidden name=SAMLResponse value=x><button formaction=/b>",
      "/b"
    ),
    ("<form action=/a><input type=hidden name=SAMLResponse value=x><button formmethod=post>", "/a"),
    (
      "<body onload='document.forms[0].submit()'><form method=post action=/a>"
        + "<input type=hidden name=SAMLResponse value=x><button formaction=/b>", "/a"
    ),
    (
      "<form method=post action=/a><input type=hidden name=SAMLResponse value=x>"
        + "<button formaction=/b></button><button formaction=/c>", "/a"
    ),
  ])
  func followsTheOnlyButtonOfAResponse(_ html: String, _ path: String) throws {
    let page = try LoadedPage(
      try HTTPResponse(html), at: try RedirectURL("https://idp.example/idp"))
    guard case .response(let sent)? = try page.message(at: .consent) else {
      Issue.record("no response")
      return
    }
    #expect(sent.url.path == path)
  }

  @Test(arguments: [
    "<body onload='document.forms[0].submit()'><form>",
    "<body onload=\"document.forms['f'].submit();\"><form name=f>",
    "<form id=f></form><script>document.getElementById('f').submit();</script>",
    "<form id=f></form><script>var form = document.forms[0]\nform.submit()</script>",
    "<form name=f></form><script>document.f.submit()</script>",
    "<form><input type=hidden name=SAMLResponse><noscript><input type=submit></noscript>",
  ])
  func recognisesFormsThatSendThemselves(html: String) throws {
    let page = try page(html)
    #expect(page.autoSubmittedForm == page.forms.first)
    #expect(page.autoSubmittedForm != nil)
  }

  @Test(arguments: [
    "<form><input type=submit></form>",
    "<form></form><script>function go() { document.forms[0].submit() }</script>",
    "<form></form><script>// document.forms[0].submit()\n/* a.submit() */ 'a.submit()'</script>",
    "<form></form><body onload='document.forms[1].submit()'>",
    "<form><input name=SAMLResponse><noscript></noscript></form>",
    "<form><input type=hidden name=a><noscript></noscript></form>",
    "<script>document.forms[0].submit()</script>",
    "<form id=a></form><form id=b></form><body onload='c.submit()'>",
  ])
  func waitsForSomebodyOtherwise(html: String) throws {
    #expect(try page(html).autoSubmittedForm == nil)
  }

  @Test func picksTheFormThatIsMeant() throws {
    let forms = "<form id=a></form><form name=b></form>"
    #expect(
      try page("<body onload='document.forms[1].submit()'>" + forms).autoSubmittedForm?.identifier
        == "b")
    #expect(
      try page("<body onload='document.b.submit()'>" + forms).autoSubmittedForm?.identifier == "b")
  }

  @Test func readsPagesOfOtherEncodings() throws {
    let latin = Array("<title>citt".utf8) + [0xE0] + Array("</title>".utf8)
    #expect(try Page(body: latin, url: "https://a/").title == "città")
    // The page's own claims do not count.
    #expect(
      try page("<meta charset=utf-16><title>città</title>").title == "città")
  }

  @Test func printsNothingOfWhatItHolds() throws {
    let page = try page(
      "<title>s3cret</title><form action=s3cret><input name=n value=s3cret></form><a href=s3cret>s3cret</a>"
    )
    for value in [page, page.forms, page.links, page.elements(named: "input")] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!"\(value) \(String(reflecting: value)) \(dumped)".contains("s3cret"))
    }
  }
}
