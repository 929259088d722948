import CIECard
import Synchronization
import Testing

@testable import RedirectFlow
@testable import Web

/// Events and errors of a login hold no text that was planted in servers' answers.
@Suite struct LoginSecrecyTests {
  /// At every place for a server's text.
  private static let plant = "PLANTED90817263"

  private static let places = [
    Script.sp + "/", Script.sp + "/login", Script.idp + "/idp/profile/SAML2/Redirect/SSO",
    Script.idp + "/idp/login", Script.idp + "/idp/Authn/X509", Script.idp + "/idp/consent",
    Script.sp + "/acs", Script.sp + "/profile",
  ]

  private static let answers: [ScriptedPages.Answer] = [
    .page("<title>ERRORE</title><p>ErrorCode nr02 \(plant)", status: 403),
    .page("<title>\(plant)</title><p>\(plant)", status: 500),
    .page("<a href='/\(plant)'>\(plant)</a>"), .page(plant),
    .page(Script.link(Links.card("value", plant + "!"))),
    .page(Script.link("https://evil.example/OpenApp?nextUrl=\(plant)")),
    .page(Script.request(to: "https://evil.example/?codice=\(plant)")),
    .page(Responses.page(to: "http://evil.example/\(plant)")),
    .page(Responses.page(Responses.document(destination: "https://evil.example/\(plant)"))),
    .page(Responses.page(Responses.document(status: plant, message: plant))),
    .page(Responses.page(plant)),
    .redirect("https://evil.example/\(plant)?codice=\(plant)"),
    .redirect("http://sp.example/?codice=\(plant)"), .redirect("data:\(plant)"),
    .redirect("https://\(plant)@evil.example/"),
  ]

  @Test(arguments: places) func eventsAndErrors(_ place: String) throws {
    for answer in Self.answers {
      var answers = Script.good.merging([place: answer]) { $1 }
      answers["https://evil.example/"] = .page(Self.plant, status: 500)
      let told = Mutex<[LoginEvent]>([])
      var texts: [String] = []
      do throws(LoginError) {
        let session = try ScriptedPages(answers).logIn { event in
          told.withLock { $0.append(event) }
        }
        texts += Self.waysToPrint(session)
      } catch { texts += Self.waysToPrint(error) }
      texts += told.withLock { $0 }.flatMap(Self.waysToPrint)
      #expect(texts.count >= 6)
      for text in texts { #expect(!text.contains(Self.plant), "\(place): \(text)") }
    }
  }

  /// A question to the person holds personal data on purpose; its description does not.
  @Test func consentRequest() throws {
    let attribute = ConsentRequest.Attribute(label: "Nome", value: Self.plant)
    let request = ConsentRequest(
      serviceProvider: try RedirectURL(Script.sp + "/").origin, attributes: [attribute])
    for text in Self.waysToPrint(request) + Self.waysToPrint([attribute]) {
      #expect(!text.contains(Self.plant))
    }
  }

  private static func waysToPrint(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }
}
