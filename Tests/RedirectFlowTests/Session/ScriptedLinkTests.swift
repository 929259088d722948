import Testing

@testable import RedirectFlow
@testable import Web

/// Links in a page's script, taken as the public clients take them (io-cie-ios-sdk at 9212a8a, `ViewController.swift`;
/// io-app): the parts concatenated, unchanged.
@Suite struct ScriptedLinkTests {
  private func handOff(_ script: String, _ body: String = "") throws -> CardHandOff {
    let response = try HTTPResponse("<title>Login</title>\(body)<script>\(script)</script>")
    let page = try LoadedPage(
      response, at: try RedirectURL(Script.idp + "/idp/login?execution=e1s1"))
    let link = try page.handOff(.default, in: .production)
    guard case .card(let card) = try HandOff(link, in: .production) else {
      throw HandOffError.link(.notAHandOff)
    }
    return card
  }

  private func script(_ request: String, _ text: String, _ rest: String = "") -> String {
    "var a='conversation', b='e1s1', c='\(request)', d='\(text)', f='https://sp.example/l.png'\n"
      + rest
  }

  /// Parts that the page has encoded are not encoded again.
  @Test(arguments: [
    ("QUJD_-1", "QUJD_-1"), ("a%2Bb%3D%26c", "a+b=&c"), ("a+b/c==", "a+b/c=="), ("%C3%A8", "è"),
    ("è è", "è è"), ("a|b\\u0022", "a|b\""), ("a#b", "a#b"), ("50% x", "50% x"),
  ])
  func isNotEncodedTwice(_ written: String, _ meant: String) throws {
    let card = try handOff(script(written, "Accesso al servizio"))
    #expect(card.authnRequest == meant)
    #expect(card.name == "conversation" && card.value == "e1s1")
    #expect(card.operationText?.raw == "Accesso al servizio")
    #expect(card.nextURL.text == Script.idp + "/idp/Authn/X509")
  }

  /// Parts that the page's own script encodes at use are raw until then.
  @Test(arguments: ["QUJD", "a%2Bb", "a&b=c", "+/=%&è+"])
  func isEncodedAsThePageDoes(_ written: String) throws {
    let use = "location.href = '/OpenApp?authnRequestString=' + encodeURIComponent(c) + d"
    #expect(try handOff(script(written, "x", use)).authnRequest == written)
  }

  /// The complete link in a button's script; and the named link that only starts a script has no target.
  @Test func wholeLinksInScripts() throws {
    for script in ["location.href = '\(Links.card)'", "window.open(\"\(Links.card)\", '_self')"] {
      #expect(try handOff(script).authnRequest == "_r-1")
      let button = "<button onclick=\"\(script.replacing("\"", with: "&quot;"))\">CIE</button>"
      #expect(try handOff("", button).authnRequest == "_r-1")
    }
    let named = "<a href='#' onclick='go()'>Entra con lettura carta CIE</a>"
    #expect(try handOff(script("x", "y"), named).authnRequest == "x")
    let other = "<a href='javascript:go()'>Entra con lettura carta CIE</a>"
    #expect(try handOff(script("x", "y"), other).authnRequest == "x")
  }

  /// A script's address elsewhere, or one that it puts together, is no link.
  @Test(arguments: [
    "location.href = 'https://evil.example/OpenApp?\(Links.parameters)'",
    "location.href = '\(Links.card)&x=' + y", "location.href == '\(Links.card)'", "var a='x',b='y'",
  ])
  func isNoLink(_ script: String) throws {
    let error = #expect(throws: LoginError.self) { try handOff(script) }
    #expect(error?.cause == .noHandOff)
  }
}
