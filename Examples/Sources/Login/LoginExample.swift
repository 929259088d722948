// Logs in to a service with the card, from its page to its session: Login ENVIRONMENT-FILE PAGE.
// For the real identity provider the environment is `.production`, and the card `.reader { _ in … }`.
import CIECard
import RedirectFlow
import VirtualCIE

/// Takes a person's decisions; this one agrees to everything, and prints the questions.
struct Holder: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool {
    print("certificate for:", presentation.server)
    return true
  }

  func consents(to request: ConsentRequest) -> Bool {
    print("data:", request.attributes.map(\.label).joined(separator: ", "))
    return true
  }
}

@main struct LoginExample {
  static func main() async throws {
    let environment = try LoginEnvironment(file: CommandLine.arguments[1])
    let page = try RedirectURL(CommandLine.arguments[2])
    // Only its own test authority signs a software card.
    let authority = try TrustStore([Certificate(der: Persona.gemalto.csca)])
    let card = LoginCard(
      checking: .required(authority, at: .now),
      pin: { (_) throws(AccessCode.FormatError) in try PIN(digits: Persona.gemalto.pin) }
    ) { VirtualCardChannel(persona: .gemalto) }
    let login = LoginSession(LoginConfiguration(environment), card: card, person: Holder())
    let session = try await login.logIn(at: page)
    print("logged in, status", session.status, "with", session.cookies.count, "cookie")
  }
}
