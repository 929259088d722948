import Testing

@testable import RedirectFlow

@Suite struct ScriptTests {
  private func page(_ script: String) throws -> Page {
    try Page(body: Array("<p>x</p><script>\(script)</script>".utf8), url: "https://a/")
  }

  @Test func readsTheLinkPartsOfALoginPage() throws {
    let page = try page(
      """
      // The parts of the link.
      var a = "conversation", b='e1s1';
      let c = "_A+b/=\\u0026\\x41\\n\\"q\\"" /* authnRequestString */ ;
      const d = `Entra in città`
      f = "https://sp.example/logo.png?x=1"
      function apriIosUL() { var seconds = 5; location.href = "https://ios.example/?" + a; }
      """)
    #expect(page.constant("a") == "conversation")
    #expect(page.constant("b") == "e1s1")
    #expect(page.constant("c") == "_A+b/=&A\n\"q\"")
    #expect(page.constant("d") == "Entra in città")
    #expect(page.constant("f") == "https://sp.example/logo.png?x=1")
    #expect(page.constant("seconds") == nil)
    #expect(page.constant("href") == nil)
  }

  @Test(arguments: [
    "x.a = 'b'", "if (a == 'b') {}", "a += 'b'", "a = 'b' + c", "a = 'b'.c()", "a = 'b\n'",
    "a = `b${c}`", "// a = 'b'", "/* a = 'b' */", "\"a = 'b'\"", "a: 'b'", "a = 'b'; a = 'c'",
    "a = 'b", "a = /'b'/", "ba = 'b'", "a === 'b'", "/* a = 'b'",
  ])
  func takesNothingElseForAConstant(script: String) throws {
    #expect(try page(script).constant("a") == nil)
  }

  @Test func takesTheSameValueTwice() throws {
    #expect(try page("a = 'b'; a = 'b'").constant("a") == "b")
  }
}
