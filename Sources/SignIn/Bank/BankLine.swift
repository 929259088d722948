/// HTTP interface of the government kit: its paths, the header fields of every request, and the meaning of its errors.
struct BankLine: Sendable {
  /// Base path of a service's sign-in with the number of an offer.
  static let offer = ["v1", "auth", "acquirer", "branch", "offer"]

  let method: BankSignIn
  let context: SignInContext
  /// Identifier of this installation at the server, which revokes a token only for the installation that it was issued
  /// to.
  let installation: String
  private let line: ServiceLine

  init(_ method: BankSignIn, _ context: SignInContext, installation: String? = nil) {
    self.method = method
    self.context = context
    self.installation = installation ?? context.processID
    line = context.line(
      to: [method.base.origin],
      headers: [
        .init(name: "App-Version", value: context.version),
        .init(name: "mobile_uid", value: self.installation),
      ])
  }

  /// - Parameter process: number of the verification; a response with another number is rejected.
  func get(
    _ path: [String], _ query: [QueryItem] = [], process: String? = nil, bearer: String? = nil
  ) throws(SignInError) -> ServiceAnswer {
    let url = try address(path).adding(query + Self.items(process))
    return try checked(process, bearer, try line.get(url, bearer: bearer))
  }

  func post(
    _ path: [String], _ members: [JSON.Member] = [], process: String? = nil, bearer: String? = nil
  ) throws(SignInError) -> ServiceAnswer {
    let url = try address(path).adding(Self.items(process))
    return try checked(process, bearer, try line.post(.object(members), to: url, bearer: bearer))
  }

  /// Sends GET to an address in a response, which must be on the same server.
  func document(
    named name: String, in answer: ServiceAnswer
  ) throws(SignInError) -> ServiceAnswer {
    try checked(nil, nil, try line.get(try answer.requiredURL(name)))
  }

  func exchange<Value>(
    _ process: String?, _ answer: @autoclosure () throws(SignInError) -> Value
  ) throws(SignInError) -> Value {
    try mapError(try answer()) { (error: SignInError) in
      error.correlated(process ?? context.processID)
    }
  }

  private static func items(_ process: String?) -> [QueryItem] {
    process.map { [QueryItem("processId", $0)] } ?? []
  }

  private func address(_ path: [String]) throws(SignInError) -> RedirectURL {
    // One path of the kit ends in a slash.
    let isFolder = path.last == ""
    guard let file = method.base.appending(segments: isFolder ? path.dropLast() : path) else {
      throw SignInError(.exchange(.wrongMember("requestId")), correlationID: context.processID)
    }
    return isFolder ? file.appending("/") : file
  }

  /// Maps a status to an error; the kit has no table of error numbers, so the status is the number.
  private func checked(
    _ process: String?, _ bearer: String?,
    _ answer: @autoclosure () throws(SignInError) -> ServiceAnswer
  ) throws(SignInError) -> ServiceAnswer {
    let answer = try exchange(process, try answer())
    if let process, let other = answer.text("processId"), other != process {
      throw SignInError(.otherSession, correlationID: process)
    }
    guard !answer.isSuccess else { return answer }
    let word = UntrustedText(answer.text("message") ?? answer.text("error") ?? "")
    let template = BankTemplate(answer)
    if let template { method.show(template.shown) }
    let reason: SignInError.Cause =
      switch answer.status {
      case 401: bearer == nil ? .clientRefused : .notSignedIn
      case 429: .tooManyRequests(retryAfter: answer.retryAfter)
      case _ where template != nil: template?.reason ?? .status(answer.status)
      case 400: .badRequest(word)
      case 403: .denied(word)
      case 404: .expired
      default: .status(answer.status)
      }
    throw SignInError(
      reason, number: answer.status, correlationID: process ?? context.processID)
  }
}

extension BankLine {
  /// Tokens of a response; without a token in it, the old one is kept.
  func renewed(
    _ answer: ServiceAnswer, token: String
  ) throws(SignInError) -> Account.Tokens {
    if let template = BankTemplate(answer) {
      method.show(template.shown)
      // A template without a token is an error, even if its button continues, because there is no new token.
      guard answer.text("token") != nil else {
        throw SignInError(
          template.reason ?? .template(template.shown), correlationID: context.processID)
      }
    }
    let token = answer.text("token") ?? token
    return tokens(token, try proved(token))
  }

  /// Account of a response, after its token is verified if keys are known.
  func account(
    of answer: ServiceAnswer, claims: [AccountClaims.Claim]
  ) throws(SignInError) -> Account {
    let token = try token(of: answer)
    let proved = try proved(token)
    return Account(
      service: context.service, method: SignInMethod.bank.rawValue,
      claims: AccountClaims(
        (proved.map { AccountClaims($0).all } ?? []) + claims
          + [.init(Account.installationClaim, [installation])]),
      begun: context.now(), tokens: tokens(token, proved))
  }

  func token(of answer: ServiceAnswer) throws(SignInError) -> String {
    try exchange(nil, try answer.requiredText("token"))
  }

  private func tokens(_ token: String, _ proved: TokenClaims?) -> Account.Tokens {
    let end = proved.flatMap { try? $0.moment("exp") }
    return Account.Tokens(access: token, refresh: nil, identity: nil, expires: end, scope: nil)
  }

  private func proved(_ token: String) throws(SignInError) -> TokenClaims? {
    guard let check = method.tokens else { return nil }
    return try exchange(nil, try check.claims(of: token, self))
  }
}

/// Claims that store data of this method beside the token.
extension Account {
  static let processClaim = "processId"
  static let installationClaim = "mobileUid"
  static let offerClaim = "offerId"

  var installation: String? { claims[Self.installationClaim].first }
  /// True for a service's account, not a person's.
  var isOfService: Bool { !claims[Self.offerClaim].isEmpty }
}
