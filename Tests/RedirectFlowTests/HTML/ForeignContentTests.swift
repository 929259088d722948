import Testing

@testable import RedirectFlow

/// Pictures, formulas and templates within pages (HTML Living Standard §13.2.6.5, §4.12.3).
@Suite struct ForeignContentTests {
  private func page(_ html: String) throws -> Page {
    try Page(body: Array(html.utf8), url: "https://sp.example/a")
  }

  private static let form =
    "<form method=post action=//evil.example><input type=hidden name=SAMLResponse value=x></form>"

  @Test func `a title in a picture is not the page's`() throws {
    let page = try page("<body><svg><title>Icon</title></svg><title>Page</title>")
    #expect(page.title == "Page")
    #expect(try self.page("<svg><title>Icon</title></svg><p>a").title == "")
  }

  /// A form, a field or a base of SVG is none of HTML.
  @Test(arguments: [
    "<svg><form action=/b><input name=c></form></svg>", "<svg><base href=//evil.example></svg>",
    "<math><input name=c><form></math>", "<svg><textarea>x</textarea><select></select></svg>",
  ])
  func `elements of a picture have no meaning of HTML`(_ html: String) throws {
    let page = try page("\(html)<a href=/d>e</a>")
    #expect(page.forms.isEmpty)
    #expect(page.links.map(\.target) == ["https://sp.example/d"])
  }

  @Test func `text in CDATA is text in a picture, and a comment elsewhere`() throws {
    let inside = try page("<svg><text><![CDATA[\(Self.form)]]></text></svg><a href=/b>c</a>")
    #expect(inside.forms.isEmpty)
    #expect(inside.text.contains("SAMLResponse"))
    #expect(inside.links.count == 1)
    #expect(try page("<p><![CDATA[x>y]]>").text == "y]]>")
  }

  /// A script of SVG runs, too, and its text is markup.
  @Test(arguments: [
    "<svg><script>location.href = '/b'</script></svg>",
    "<svg><script>location.href &#61; '/b'</script></svg>",
    "<svg><script><![CDATA[location.href = '/b']]></script></svg>",
    "<svg><script>//<![CDATA[\nlocation.href = '/b'//]]></script></svg>",
  ])
  func `a script of a picture runs`(_ html: String) throws {
    #expect(try page("<p>a" + html).refresh?.target == "https://sp.example/b")
  }

  /// Places where HTML begins again, and tags that end a picture.
  @Test(arguments: [
    "<svg><foreignObject>\(form)</foreignObject></svg>", "<svg><desc>\(form)</desc></svg>",
    "<svg><title>\(form)</title></svg>", "<svg><g><p>\(form)", "<math><mi>\(form)</mi></math>",
    "<math><annotation-xml encoding='text/html'>\(form)", "<svg><font color=x>\(form)",
    "<svg></p>\(form)", "<svg/>\(form)", "<math><ms><style></style>\(form)",
  ])
  func `HTML begins again`(_ html: String) throws {
    #expect(try page(html).forms.count == 1)
  }

  @Test(arguments: [
    "<svg><style>\(form)</style></svg>", "<svg><g><iframe>\(form)</iframe></g></svg>",
    "<math><annotation-xml>\(form)</annotation-xml></math>", "<svg><font>\(form)</font></svg>",
    "<svg><script>\(form)</script>",
  ])
  func `a form of a picture is no form`(_ html: String) throws {
    #expect(try page(html).forms.isEmpty)
  }

  @Test(arguments: [
    "<template>\(form)</template>", "<template><template></template>\(form)</template>",
    "<table><template><tr><td>\(form)</template></table>", "<template>\(form)",
    "<head><template></head><body>\(form)</template></head>",
  ])
  func `a template is not part of the page`(_ html: String) throws {
    let page = try page(html + "<template><input form=f><base href=//evil.example></template>")
    #expect(page.forms.isEmpty)
    #expect(page.elements(named: "input").isEmpty)
  }

  @Test func `a template does not end the form around it`() throws {
    let page = try page(
      "<form id=a><template></form><form id=b><input name=x></form></template><input name=y></form>"
    )
    #expect(page.forms.map { $0.fields.map(\.name) } == [["y"]])
  }

  @Test(arguments: [
    "<p><a href=/b>c</p>d</a>", "</form><a href=/b>c</a>", "<a href=/b>c</a ></p id=x>",
    "<a href=/b>c</A/>", "<table><a href=/b>c</table>", "<b><a href=/b>c</b></a>",
    "<a href=/b>c</a\n x='>'>", "<select><option></select><a href=/b>c",
    "</head></html></body><a href=/b>c</a>", "<br></br/><a href=/b/>c</a>",
  ])
  func `end tags end what they end`(_ html: String) throws {
    let links = try page(html).links
    #expect(Set(links.map { $0.target.hasPrefix("https://sp.example/b") }) == [true])
  }
}
