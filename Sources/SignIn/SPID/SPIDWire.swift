/// HTTP interface of the service for SPID: its list, its requests, and the person's data at the end.
struct SPIDWire: Sendable {
  /// Maximum number of providers in a list; there are about a dozen.
  static let providerLimit = 100

  let method: SPIDSignIn
  let context: SignInContext
  private let line: ServiceLine

  init(_ method: SPIDSignIn, _ context: SignInContext) {
    self.method = method
    self.context = context
    line = context.line(to: method.place.origins.union([method.base.origin]))
  }

  /// Fetches the providers (`list-providers`).
  func providers() throws(SignInError) -> (
    [SignInState.ProviderRequired.Provider], [SignInState.ProviderRequired.Explanation]
  ) {
    let json = try get(method.base.appending("list-providers"))
    let malformed = SignInError.exchange(.wrongMember("identityProviders"))
    guard case .array(let entries) = json["identityProviders"], !entries.isEmpty,
      entries.count <= Self.providerLimit
    else { throw malformed }
    let providers = try entries.map { entry throws(SignInError) in
      let texts = ["identifier", "name", "entityId"].compactMap { entry[$0]?.text }
        .filter { !$0.isEmpty }
      guard texts.count == 3 else { throw malformed }
      return SignInState.ProviderRequired.Provider(
        texts[0], name: UntrustedText(texts[1]), entity: texts[2])
    }
    guard Set(providers.map(\.identifier)).count == providers.count,
      Set(providers.map(\.entity)).count == providers.count
    else { throw malformed }
    return (providers, explanations(json["extraInfo"]))
  }

  private func explanations(_ value: JSONValue?) -> [SignInState.ProviderRequired.Explanation] {
    guard case .array(let entries) = value else { return [] }
    return entries.prefix(Self.providerLimit).compactMap { entry in
      guard let title = entry["title"]?.text, let address = entry["url"]?.text,
        let url = try? RedirectURL(address), url.scheme == .https
      else { return nil }
      return SignInState.ProviderRequired.Explanation(title: UntrustedText(title), url: url)
    }
  }

  /// Fetches the service's request to a provider (`auth-spid`).
  ///
  /// - Parameter parameters: final redirect of the browser; without them the service shows its own page.
  func request(
    to provider: SignInState.ProviderRequired.Provider, _ parameters: [QueryItem] = []
  ) throws(SignInError) -> SPIDRequest {
    let items =
      [
        QueryItem("entityId", provider.entity ?? provider.identifier),
        method.level.map { QueryItem("level", String($0.rawValue)) },
      ].compactMap { $0 } + parameters
    let json = try get(method.base.appending("auth-spid").adding(items))
    return try SPIDRequest(json, to: method.destinations)
  }

  /// Login in the person's own browser: a page of this machine sends the request to the provider, and the service's last
  /// page has the person's data. That page is on the service's own server (the kit's web view reads it there), or, with
  /// our extension of the service, redirects to this machine with a code for the data.
  ///
  /// - Returns: `browserRequired`, with the address of the page, which is served once.
  func begin(at provider: SignInState.ProviderRequired.Provider) throws(SignInError) -> SignInState
  {
    let door = try BrowserReturn(
      context, at: method.place, state: try SignInContext.randomText(43), takesData: true)
    let request = try request(to: provider, door.parameters)
    let page = FormPage(sending: request.form, to: request.destination, context.returnWords)
    return .browserRequired(
      SignInState.BrowserRequired(context, door.listener.startAddress, until: door.end, door: door)
      {
        () throws(SignInError) in
        let answer = try door.answer(serving: page)
        if let word = answer["error"] { throw Self.failure(word, 403) }
        if let body = answer.body { return .completed(try account(json: body)) }
        if let address = answer.address { return .completed(try account(at: address)) }
        guard let code = answer["code"] else {
          throw .exchange(.missingMember("code"))
        }
        return .completed(try account(code))
      })
  }

  func account(_ code: String) throws(SignInError) -> Account {
    try account(at: method.base.appending("user").adding([QueryItem("code", code)]))
  }

  /// Fetches the person's data from the service's last page, at the address where the browser has ended.
  func account(at address: RedirectURL) throws(SignInError) -> Account {
    try account(of: try get(address))
  }

  /// Parses the person's data from the service's last page, as a browser has read it.
  func account(json bytes: [UInt8]) throws(SignInError) -> Account {
    guard let json = try? JSONValue(bytes), json.repeatedMember == nil else {
      throw .exchange(.notJSON(status: 200))
    }
    return try account(of: json)
  }

  private func account(of json: JSONValue) throws(SignInError) -> Account {
    Account(
      service: context.service, method: SignInMethod.spid.rawValue,
      claims: try AccountClaims(spid: json), begun: context.now())
  }

  private func get(_ url: RedirectURL) throws(SignInError) -> JSONValue {
    let answer = try line.get(url)
    // Status 2xx only; redirects were rejected before.
    guard answer.isSuccess else { throw Self.failure(answer) }
    return try answer.requiredJSON()
  }

  private static func failure(_ answer: ServiceAnswer) -> SignInError {
    if answer.status == 429 { return SignInError(.tooManyRequests(retryAfter: answer.retryAfter)) }
    return answer.text("error").map { failure($0, answer.status) }
      ?? SignInError(.status(answer.status))
  }

  /// Maps an error word of the service: `nr` and the number of a SAML error (SPID, table of error messages),
  /// `unknown-code`, or the service's own reason.
  static func failure(_ word: String, _ status: Int) -> SignInError {
    let digits = word.dropFirst(2)
    if word.hasPrefix("nr"), (1...2).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits)
    {
      return SignInError(.saml(number: number), number: number)
    }
    if word == "unknown-code" { return SignInError(.expired) }
    let text = UntrustedText(word)
    return SignInError(status == 403 ? .denied(text) : .badRequest(text))
  }
}

extension AccountClaims {
  /// Person's data from the service: the published fields, each a string; `null` fields are left out.
  ///
  /// - Throws: `.wrongMember` for values that are not strings, and invalid dates; `.missingMember` without an
  ///   identifier of the person.
  fileprivate init(spid json: JSONValue) throws(SignInError) {
    guard case .object(let members) = json else { throw .exchange(.missingMember("codiceFiscale")) }
    var claims: [Claim] = []
    for (name, value) in members {
      switch value {
      case .null: continue
      case .string(let text):
        let isDate = ["dataNascita", "dataScadenzaIdentita"].contains(name)
        guard !isDate || Self.isDate(text) else { throw .exchange(.wrongMember(name)) }
        if !text.isEmpty { claims.append(.init(name, [text])) }
      case .array, .object, .number, .flag: throw .exchange(.wrongMember(name))
      }
    }
    let isSomebody = claims.contains {
      ["codiceFiscale", "codiceIdentificativo"].contains($0.name)
    }
    guard isSomebody else { throw .exchange(.missingMember("codiceFiscale")) }
    self.init(claims)
  }

  /// True for a date, with or without a time (ISO 8601); an empty text is accepted, too.
  private static func isDate(_ text: String) -> Bool {
    let day = text.prefix { $0 != "T" }.split(separator: "-", omittingEmptySubsequences: false)
    guard day.map(\.utf8.count) == [4, 2, 2] else { return text.isEmpty }
    let numbers = day.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    return numbers.count == 3
      && UTCCalendar.isDay(year: numbers[0], month: numbers[1], day: numbers[2])
  }
}
