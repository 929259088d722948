import Testing

@testable import RedirectFlow
@testable import Web

/// The work for a page is in proportion to its size, whatever its shape: counted, not timed.
@Suite struct PageWorkTests {
  /// The sizes of an ordinary page and of a big one.
  static let sizes = [64 << 10, 1 << 20]

  private func body(_ opening: String, depth: Int, filler: String, _ size: Int) -> [UInt8] {
    let head = String(repeating: opening, count: depth)
    let rest = max(0, size - head.utf8.count) / filler.utf8.count
    return [UInt8]((head + String(repeating: filler, count: rest)).utf8)
  }

  private func read(_ body: [UInt8], at url: String = "https://idp.example/") throws -> Page {
    try Page(body: body, url: url)
  }

  /// Texts in elements each of which was read again for all its ancestors.
  @Test(
    arguments: sizes,
    [
      ("<button>", "a "), ("<title>", " "), ("<title>", "\n\t"), ("<form><button>", "<p>a</p>"),
      ("<select>", "<option>a"), ("<select name=s>", "<option>a</option>"),
      ("<textarea>", "a "), ("<button><b>", "a aaaa aaaa<br>"), ("<div>", "a"),
    ])
  func `nested elements cost in proportion to their length`(_ size: Int, _ shape: (String, String))
    throws
  {
    let page = try read(body(shape.0, depth: 200, filler: shape.1, size))
    #expect(page.work <= 24 * size, "\(shape)")
  }

  /// A long base with many references resolved against it, and a long label of many controls.
  private static let repeating: [String: (opening: String, filler: String)] = [
    "links": (base, "<a href=x>"), "forms": (base, "<form action=x></form>"),
    "buttons": (base, "<form><button formaction=x></button></form>"),
    "labels": (
      "<p id=l>" + String(repeating: "a", count: 20_000) + "</p>",
      "<a aria-labelledby='l l l' href=x>"
    ),
  ]
  private static let base = "<base href='/" + String(repeating: "a", count: 8000) + "/'>"

  /// Repetition by the page's own design ends with the budget.
  @Test(arguments: sizes, ["links", "forms", "buttons", "labels"])
  func `a page that is too complicated is refused`(_ size: Int, _ name: String) throws {
    let (opening, filler) = try #require(Self.repeating[name])
    let error = #expect(throws: PageError.self) {
      try read(body(opening, depth: 1, filler: filler, size))
    }
    guard case .tooComplicated(let limit) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(limit < 18 * size + 3 << 20)
  }

  @Test(arguments: sizes)
  func `lists in lists are read within the budget, too`(_ size: Int) throws {
    let nested = try read(body("<dl><dt>x<dd><div>", depth: 100, filler: "a ", 4 * size))
    let error = #expect(throws: PageError.self) { try ConsentList(nested) }
    guard case .tooComplicated = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// An ordinary service's page is far from its budget.
  @Test func `an ordinary page is not too complicated`() throws {
    let link =
      "<li class=nav-item><a class='nav-link' href='/a/b/c?d=e#f'><span>Servizi</span></a></li>"
    let body = [UInt8](("<ul>" + String(repeating: link, count: 4000)).utf8)
    let url = "https://service.example/a/b?q=" + String(repeating: "q", count: 2000)
    #expect(try read(body, at: url).work < 4 * body.count)
  }

  /// 64 kB of dots each, in a header as in a page; each took seconds when going up made a copy.
  @Test(.timeLimit(.minutes(20)), arguments: ["/", "\\"])
  func `dots in an address take no longer than the address`(_ slash: String) throws {
    let down = String(repeating: "a" + slash, count: 12_000)
    let up = String(repeating: ".." + slash, count: 12_000)
    let base = try RedirectURL("https://idp.example/b/c")
    for _ in 0..<40 {
      let url = try RedirectURL(asBrowsersRead: slash + down + up + "z", on: base)
      #expect(url.path == "/z")
    }
    #expect(try RedirectURL(asBrowsersRead: "../x/./../y/%2e%2E/z/..", on: base).path == "/")
    #expect(try RedirectURL(asBrowsersRead: "d\\..\\.\\e", on: base).path == "/b/e")
    let reference = slash + down + up + "z"
    #expect(
      try read(Array("<a href='\(reference)'>x".utf8)).links.map(\.target) == [
        "https://idp.example/z"
      ])
  }
}
