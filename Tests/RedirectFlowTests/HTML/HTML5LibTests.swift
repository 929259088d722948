import Testing

@testable import RedirectFlow

/// Pages as html5lib's tests read them, which are those of browsers. Each deviation is named here.
@Suite struct HTML5LibTests {
  /// Pages whose tree is another one here: a script of browsers copies the chosen option into `selectedcontent`.
  private static let copies: Set<String> = [
    "<select><button><selectedcontent></button><option>X",
    "<select><button><selectedcontent></button><option>X<option>Y",
    "<select><button><selectedcontent></button><option>X<option selected>Y",
    "<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b",
  ]

  /// The score: of pages, all but those.
  @Test func `pages have the trees of browsers`() throws {
    let cases = try HTML5LibSuite.trees()
    var others: Set<String> = []
    for test in cases {
      let tree = try HTML5LibSuite.tree(of: test.page)
      if tree != test.tree { others.insert(test.page) }
      #expect(tree == test.tree || Self.copies.contains(test.page), "\(test.page)")
    }
    #expect(others == Self.copies)
    #expect(cases.count == (HTML5LibSuite.isWhole ? 1592 : 321))
  }

  /// The score: all.
  @Test func `tokens are those of browsers`() throws {
    let cases = try HTML5LibSuite.tokens()
    for test in cases {
      let tokens = try HTML5LibSuite.tokens(of: test)
      #expect(tokens == test.tokens, "\(test.state): \(test.text.debugDescription)")
    }
    #expect(cases.count == (HTML5LibSuite.isWhole ? 7028 : 147))
  }
}
