@testable import Web
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
}
