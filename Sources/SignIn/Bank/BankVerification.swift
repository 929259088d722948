/// Verification of a person: every request and response has the same number, which the server assigned.
struct BankVerification: Sendable {
  let processID: String
  let flow: VerificationFlow
  private let account: Account?
  private let choices: MethodChoices
  private let method: BankSignIn
  private let line: BankLine

  static func begin(
    _ flow: VerificationFlow, of account: Account?, _ method: BankSignIn, _ line: BankLine
  ) throws(SignInError) -> SignInState {
    let answer = try line.get(
      ["v3", "auth", flow.rawValue, "methods"],
      bearer: flow == .login ? nil : account?.tokens?.access)
    let processID = try line.exchange(nil, try answer.requiredText("processId"))
    let verification = BankVerification(
      processID: processID, flow: flow, account: account,
      choices: MethodChoices(answer, hasCard: method.card != nil), method: method, line: line)
    if let template = BankTemplate(answer) {
      method.show(template.shown)
      // Its button may lead to the methods.
      if template.action != .methods, let reason = template.reason {
        throw verification.error(reason)
      }
    }
    if answer.json?["skipAuthMethods"]?.isTrue == true { return try verification.finish() }
    return try verification.choose()
  }

  /// Continues with the only method, or lets the person choose.
  private func choose() throws(SignInError) -> SignInState {
    if choices.usable.count == 1, let only = choices.usable.first { return try run(only) }
    guard !choices.usable.isEmpty else {
      // Without a method to choose, the service's own text has the reason.
      throw error(choices.disabled.first.map { .denied($0.name) } ?? .notOffered)
    }
    return menu
  }

  private var menu: SignInState {
    .providerRequired(
      SignInState.ProviderRequired(
        providers: choices.providers, explanations: [], context: line.context
      ) { choice throws(SignInError) in
        guard let method = VerificationMethod(rawValue: choice.identifier) else {
          throw error(.unknownProvider)
        }
        return try run(method)
      })
  }

  private func run(_ chosen: VerificationMethod) throws(SignInError) -> SignInState {
    switch chosen {
    case .bank: return try chooseBank()
    case .monobank, .privatbank: return try visit(chosen, bank: nil)
    case .code: return try sendCode()
    case .card:
      guard let card = method.card else { throw error(.notOffered) }
      return try card(self)
    }
  }

  /// Lists the banks; unavailable ones are listed but cannot be chosen.
  private func chooseBank() throws(SignInError) -> SignInState {
    let answer = try line.get(["v1", "auth", "banks"])
    guard case .array(let elements) = answer.json?["banks"] else {
      throw error(.exchange(.missingMember("banks")))
    }
    let banks = elements.compactMap { bank -> SignInState.ProviderRequired.Provider? in
      guard let identifier = bank["id"]?.text, !identifier.isEmpty, let name = bank["name"]?.text
      else { return nil }
      return SignInState.ProviderRequired.Provider(
        identifier, name: UntrustedText(name), isAvailable: bank["workable"]?.isTrue == true)
    }
    // Duplicate identifiers are an error, because one bank would be shown under another's name.
    guard banks.count == elements.count, Set(banks.map(\.identifier)).count == banks.count else {
      throw error(.exchange(.wrongMember("banks")))
    }
    guard banks.contains(where: \.isAvailable) else { throw error(.notOffered) }
    return .providerRequired(
      SignInState.ProviderRequired(
        providers: banks, explanations: [], context: line.context
      ) { bank throws(SignInError) in
        try visit(.bank, bank: bank.identifier)
      })
  }

  /// Sends the person to a bank's own pages; the bank redirects them back to this machine with a code.
  private func visit(
    _ target: VerificationMethod, bank: String?
  ) throws(SignInError) -> SignInState {
    let context = line.context
    let door = try line.exchange(
      nil, try BrowserReturn(context, at: method.place, state: try SignInContext.randomText(43)))
    let answer = try line.get(
      ["v3", "auth", target.rawValue, "auth-url"],
      Self.items(bank) + door.parameters, process: processID)
    if let template = BankTemplate(answer) { try resume(template) }
    let url = try line.exchange(
      processID, try answer.requiredURL("authUrl", on: method.bankOrigins))
    return .browserRequired(
      SignInState.BrowserRequired(context, url, until: door.end, door: door) {
        () throws(SignInError) in
        let code = try line.exchange(nil, try door.bankCode())
        return try verify(target, requestID: code, bank: bank)
      })
  }

  private func sendCode() throws(SignInError) -> SignInState {
    let answer = try line.get(["v1", "auth", "otp", "screen"], process: processID)
    if let template = BankTemplate(answer) { try resume(template) }
    let requestID = try line.exchange(processID, try answer.requiredText("requestId"))
    return codeState(answer, requestID)
  }

  private func codeState(_ answer: ServiceAnswer, _ requestID: String) -> SignInState {
    .codeRequired(
      SignInState.CodeRequired(
        line.context, sentTo: answer.text("contact"), channel: "sms",
        length: answer.json?["codeLength"]?.integer.flatMap { (1...32).contains($0) ? $0 : nil },
        submitting: { code throws(SignInError) in
          let verified = try line.post(
            ["v1", "auth", VerificationMethod.code.rawValue, requestID, "verify"],
            [.init("otp", code)], process: processID, bearer: account?.tokens?.access)
          return try finish(verified, again: codeState(answer, requestID))
        }, resending: { () throws(SignInError) in try sendCode() }))
  }

  /// Sends the result of a method to the server: the bank's code, or the request identifier of the card's login.
  func verify(
    _ target: VerificationMethod, requestID: String, bank: String? = nil
  ) throws(SignInError) -> SignInState {
    try finish(
      try line.get(
        ["v1", "auth", target.rawValue, requestID, "verify"], Self.items(bank), process: processID,
        bearer: account?.tokens?.access))
  }

  /// Continues if the server's template reports that the person is verified.
  private func finish(
    _ answer: ServiceAnswer, again: SignInState? = nil
  ) throws(SignInError) -> SignInState {
    guard let template = BankTemplate(answer) else {
      throw error(.exchange(.missingMember("template")))
    }
    try resume(template, again: again)
    return try finish()
  }

  private func finish() throws(SignInError) -> SignInState {
    let claim = AccountClaims.Claim(Account.processClaim, [processID])
    guard flow != .login else {
      let answer = try line.get(["v3", "auth", "token"], process: processID)
      return .completed(try line.account(of: answer, claims: [claim]))
    }
    guard let account, var tokens = account.tokens else { throw error(.notSignedIn) }
    if flow == .prolong {
      let answer = try line.get(
        ["v1", "auth", "prolong", ""], process: processID, bearer: tokens.access)
      tokens = try line.renewed(answer, token: tokens.access)
    }
    let claims = account.claims.all.filter { $0.name != claim.name } + [claim]
    return .completed(account.refreshed(tokens, AccountClaims(claims)))
  }

  /// Shows a template.
  ///
  /// - Throws: its error, if it does not continue.
  private func resume(_ template: BankTemplate, again: SignInState? = nil) throws(SignInError) {
    method.show(template.shown)
    guard let reason = template.reason else { return }
    let again = template.action == .tryAgain ? again : template.action == .methods ? menu : nil
    throw SignInError(reason, correlationID: processID, again: again)
  }

  private static func items(_ bank: String?) -> [QueryItem] {
    bank.map { [QueryItem("bankId", $0)] } ?? []
  }

  private func error(_ reason: SignInError.Cause) -> SignInError {
    SignInError(reason, correlationID: processID)
  }
}

/// Methods that the service offers for a verification, and those that it has disabled.
private struct MethodChoices: Sendable {
  /// Enabled methods that are known here.
  let usable: [VerificationMethod]
  /// Methods that cannot be chosen; the name is the reason.
  let disabled: [SignInState.ProviderRequired.Provider]

  init(_ answer: ServiceAnswer, hasCard: Bool) {
    let known = VerificationMethod.list(answer.json?["authMethods"])
    if case .array(let elements) = answer.json?["disabledMethods"] {
      disabled = elements.compactMap {
        guard let code = $0["code"]?.text, !code.isEmpty else { return nil }
        return SignInState.ProviderRequired.Provider(
          code.lowercased(), name: UntrustedText($0["description"]?.text ?? code),
          isAvailable: false)
      }
    } else {
      disabled = []
    }
    let off = Set(disabled.map(\.identifier))
    usable = known.filter { ($0 != .card || hasCard) && !off.contains($0.rawValue) }
  }

  var providers: [SignInState.ProviderRequired.Provider] {
    usable.map {
      SignInState.ProviderRequired.Provider(
        $0.rawValue, name: UntrustedText($0.rawValue), isWay: true)
    }
      + disabled
  }
}

extension BrowserReturn {
  /// - Throws: `.denied` with the bank's error code; `.expired` for a second return; `.timedOut`, `.cancelled`.
  fileprivate func bankCode() throws(SignInError) -> String {
    let parameters = try answer()
    if let word = parameters["error"] { throw SignInError(.denied(UntrustedText(word))) }
    guard let code = parameters["code"], !code.isEmpty else {
      throw .exchange(.missingMember("code"))
    }
    // The code becomes a path segment: unreserved characters only, because servers differ in decoding escapes.
    guard code.utf8.count <= 512, code.utf8.allSatisfy(ASCII.isUnreserved), code != ".",
      code != ".."
    else { throw .exchange(.wrongMember("code")) }
    return code
  }
}
