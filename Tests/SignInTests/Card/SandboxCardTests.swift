import CIECard
import RedirectFlow
import TestSupport
import Testing
import VirtualCIE

@testable import SignIn

/// "Entra con CIE" as states: the login of the redirect flow with a software card, at the sandbox.
extension SandboxSignInTests {
  @Test
  func `the card signs in by PIN and consent, and its attributes stand under the fields' names`()
    async throws
  {
    let sandbox = try Self.fresh()
    let holder = VirtualCardHolder()
    let pin = try await sandbox.signIn(by: .card, card: holder).begin().pin
    #expect(pin.triesLeft == 3 && holder.verifications == 0)
    let server = try #require(pin.presentation).server
    #expect(server == (try RedirectURL(sandbox.address("idp"))).origin)

    let consent = try await pin.submit(PIN(digits: Persona.gemalto.pin)).consent
    #expect(consent.request.attributes.count == 4 && holder.verifications == 1)
    let account = try await consent.answer(true).account
    #expect(account.method == "card" && account.service == "Sandbox" && account.tokens == nil)
    let code = Persona.gemalto.fiscalCode
    #expect(account.claims[.codiceFiscale] == code)
    #expect(account.claims["fiscalNumber"] == ["TINIT-" + code])
    let claims = account.claims
    #expect(claims[.nome] != nil && claims[.cognome] != nil && claims[.dataNascita] != nil)
    // The personas' codes cannot exist: their days tell neither sex nor anything else.
    #expect(claims[.sesso] == nil && claims[.emailPec] == nil && holder.signatures == 1)
  }

  @Test func `a wrong PIN ends the sign-in, and the last try is never spent`() async throws {
    let sandbox = try Self.fresh()
    let holder = VirtualCardHolder()
    for left in [2, 1] {
      let pin = try await sandbox.signIn(by: .card, card: holder).begin().pin
      #expect(pin.triesLeft == left + 1)
      let error = try await refusal { try await pin.submit(PIN(digits: "00000000")) }
      guard case .login(.card(let answer)) = error.reason,
        case .wrongCode(_, let tries) = answer.reason
      else {
        Issue.record("\(error)")
        return
      }
      #expect(tries == left && error.again == nil)
    }
    let last = try await refusal { try await sandbox.signIn(by: .card, card: holder).begin() }
    guard case .login(.card(let answer)) = last.reason, case .lastTryRefused = answer.reason else {
      Issue.record("\(last)")
      return
    }
    #expect(holder.verifications == 2 && holder.signatures == 0)
  }

  @Test func `whoever does not consent is not signed in`() async throws {
    let sandbox = try Self.fresh()
    let consent = try await sandbox.signIn(by: .card).begin().pin
      .submit(PIN(digits: Persona.gemalto.pin)).consent
    let error = try await refusal { try await consent.answer(false) }
    #expect(error.reason == .login(.consentDenied) && error.again == nil)
  }

  @Test func `a sign-in with the card can be ended in every state`() async throws {
    let sandbox = try Self.fresh()
    let early = try sandbox.signIn(by: .card)
    early.cancel()
    #expect(try await refusal { try await early.begin() }.isCancelled)

    let holder = VirtualCardHolder()
    let atPIN = try sandbox.signIn(by: .card, card: holder)
    let pin = try await atPIN.begin().pin
    atPIN.cancel()
    let error = try await refusal { try await pin.submit(PIN(digits: Persona.gemalto.pin)) }
    #expect(error.isCancelled && holder.verifications == 0)

    let atConsent = try sandbox.signIn(by: .card)
    let consent = try await atConsent.begin().pin.submit(PIN(digits: Persona.gemalto.pin)).consent
    atConsent.cancel()
    #expect(try await refusal { try await consent.answer(true) }.isCancelled)
  }

  @Test func `a step of a sign-in that has ended is refused and does not wait`() async throws {
    let sandbox = try Self.fresh()
    let pin = try await sandbox.signIn(by: .card).begin().pin
    let consent = try await pin.submit(PIN(digits: Persona.gemalto.pin)).consent
    _ = try await consent.answer(true).account
    #expect(try await refusal { try await consent.answer(true) }.isCancelled)
    #expect(
      try await refusal { try await pin.submit(PIN(digits: Persona.gemalto.pin)) }.isCancelled)
  }

  @Test func `a refusal of the identity provider ends the sign-in under its number`() async throws {
    let sandbox = try Self.fresh()
    try sandbox.arm("saml-nr25")
    let error = try await refusal {
      try await sandbox.signIn(by: .card).begin().pin.submit(PIN(digits: Persona.gemalto.pin))
        .consent.answer(true)
    }
    guard case .login(.refusedByIdentityProvider(let status)) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(status.errorNumber == 25)
  }

  @Test func `the app signs in, told by its link and back by the address of this machine`()
    async throws
  {
    let sandbox = try Self.fresh()
    let holder = VirtualCardHolder()
    let state = try await sandbox.signIn(by: .app, card: holder).begin().browser
    #expect(state.url.origin == (try RedirectURL(sandbox.address("idp"))).origin)
    let consent = try await answer(state, sandbox, "approve").consent
    let account = try await consent.answer(true).account
    #expect(account.method == "app" && account.claims[.codiceFiscale]?.count == 16)
    #expect(holder.verifications == 0)
  }

  @Test(arguments: [
    ("cancel", SignInError.Reason.cancelled),
    ("expired", .login(.app(.certificateExpired))),
    ("invalid", .login(.app(.invalidOperation))),
  ])
  func `whatever else the app says ends the sign-in`(
    _ outcome: String, _ reason: SignInError.Reason
  ) async throws {
    let sandbox = try Self.fresh()
    let state = try await sandbox.signIn(by: .app).begin().browser
    let error = try await refusal { try await answer(state, sandbox, outcome) }
    #expect(error.reason == reason)
  }

  @Test func `the wait for the app can be ended`() async throws {
    let sandbox = try Self.fresh()
    let session = try sandbox.signIn(by: .app)
    let state = try await session.begin().browser
    async let end = refusal { try await state.wait() }
    session.cancel()
    #expect(try await end.isCancelled)
  }

  @Test func `only one waits for a login at a time`() async throws {
    let sandbox = try Self.fresh()
    let session = try sandbox.signIn(by: .app)
    let state = try await session.begin().browser
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { (try? await refusal { try await state.wait() }) != nil } }
      // Seven are sent away at once; the one who waits ends with the login.
      for _ in 0..<7 { #expect(await group.next() == true) }
      session.cancel()
      #expect(await group.next() == true)
    }
  }

  /// What the sandbox's app comes back with is brought to this machine's address by another program.
  private func answer(
    _ state: BrowserRequired, _ sandbox: Sandbox, _ outcome: String
  ) async throws -> SignInState {
    let invitation = try #require(state.invitation)
    let returned = try sandbox.app(invitation.appLink, outcome)
    let address = invitation.returnAddress.adding([QueryItem("url", returned)]).text
    // The listener takes the connection from its queue once it waits.
    let visit = try BackgroundProcess(
      "/usr/bin/curl", ["--silent", "--max-time", "30", address])
    defer { withExtendedLifetime(visit) {} }
    return try await state.wait()
  }
}
