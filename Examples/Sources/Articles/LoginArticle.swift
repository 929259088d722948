// The code in the articles of RedirectFlow.
import CIECard
import RedirectFlow

/// A person asked at a counter.
struct Counter: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool {
    askPerson("The certificate goes to \(presentation.server).")
  }

  func consents(to request: ConsentRequest) -> Bool {
    askPerson("Tell \(request.serviceProvider): \(request.attributes.map(\.label))")
  }
}

final class Button {
  var action: () -> Void = {}
}

func askPerson(_ question: String) -> Bool { false }
func askForPIN(_ triesLeft: Int?) -> String { "" }
func openInTheSameBrowser(_ address: String) {}

func logIn(_ link: String, _ stopButton: Button) async throws -> String {
  let card = LoginCard.reader { (triesLeft) throws(AccessCode.FormatError) in
    try PIN(digits: askForPIN(triesLeft))
  }
  let login = LoginSession(LoginConfiguration(.production), card: card, person: Counter())

  let following = Task { for await event in login.events { print(event) } }
  stopButton.action = { login.cancel() }
  defer { following.cancel() }

  let address = try await login.complete(link)
  openInTheSameBrowser("\(address)")

  let session = try await login.logIn(at: RedirectURL("https://service.example/login"))
  let jar = session.cookies.map(\.netscapeLine).joined(separator: "\n")
  return jar
}
