import CIECard
import RedirectFlow
import TestSupport
import Testing
import VirtualCIE

@testable import SignIn

/// "Entra con CIE" in a description: RedirectFlow runs the login, and its attributes become an account.
extension SandboxSignInTests {
  @Test func `the card's entry leads to a login whose attributes stand under the fields' names`()
    async throws
  {
    let service = try Self.fresh().service()
    guard case .card(let entry) = service.description.way(.card) else {
      Issue.record("no card")
      return
    }
    let trust = try TrustStore([Certificate(der: Persona.gemalto.csca)])
    let card = LoginCard(
      checking: .required(trust, at: .now),
      pin: { (_) throws(AccessCode.FormatError) in try PIN(digits: Persona.gemalto.pin) }
    ) { VirtualCardChannel(persona: .gemalto) }
    let login = LoginSession(
      LoginConfiguration(entry.environment), card: card, person: AgreeingPerson())
    let claims = AccountClaims(try await login.logIn(at: entry.start).attributes)
    let code = Persona.gemalto.fiscalCode
    #expect(claims[.codiceFiscale] == code && claims["fiscalNumber"] == ["TINIT-" + code])
    #expect(claims[.nome] != nil && claims[.cognome] != nil && claims[.dataNascita] != nil)
    // The personas' fiscal codes are impossible: nothing can be derived from their days.
    #expect(claims[.sesso] == nil && claims[.emailPec] == nil)
  }

  @Test(arguments: [SignInMethod.card, .app])
  func `card and app are no sign-in of this library`(_ method: SignInMethod) throws {
    let service = try Self.fresh().service()
    let error = #expect(throws: SignInError.self) { try service.signIn(by: method) }
    #expect(error?.cause == .notOffered)
  }
}

private struct AgreeingPerson: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool { true }

  func consents(to request: ConsentRequest) -> Bool { true }
}
