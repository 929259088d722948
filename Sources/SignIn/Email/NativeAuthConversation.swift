internal import CIECard
internal import RedirectFlow
internal import System

/// One sign-in by native authentication: each answer carries the `continuation_token` for the next request (MSAL for
/// iOS, native authentication; redirect-flow.md §5.3).
struct NativeAuthConversation: Sendable {
  let method: EmailSignIn
  let context: SignInContext
  private let line: ServiceLine

  init(_ method: EmailSignIn, _ context: SignInContext) {
    self.method = method
    self.context = context
    line = context.line(
      to: [method.authority.origin],
      headers: [.init(name: "client-request-id", value: context.processID)])
  }

  /// Tells the provider who signs in, and asks how.
  ///
  /// - Throws: `.invalidUserName` before any request; `.userNotFound`, `.browserRequired`.
  func start(_ name: String) async throws(SignInError) -> SignInState {
    let again = SignInState.userNameRequired(
      UserNameRequired { name async throws(SignInError) in try await start(name) })
    guard EmailAddress.isPlausible(name) else {
      throw SignInError(.invalidUserName, correlationID: context.processID, again: again)
    }
    let answer = try await post(
      .initiate,
      [
        "username": name,
        "challenge_type": (method.challengeTypes + [.redirect]).map(\.rawValue)
          .joined(separator: " "), "capabilities": "mfa_required",
      ], again: again)
    return try await challenge(try token(of: answer), again: again)
  }

  /// Has the provider choose how the person shows who they are; it sends the code, where it is one.
  private func challenge(
    _ continuation: String, again: SignInState? = nil
  ) async throws(SignInError) -> SignInState {
    let answer = try await post(
      .challenge,
      [
        "continuation_token": continuation,
        "challenge_type": (method.challengeTypes + [.redirect]).map(\.rawValue)
          .joined(separator: " "),
      ], again: again)
    return try state(after: answer, grant: "oob") { again async throws(SignInError) in
      try await challenge(try token(of: answer), again: again)
    }
  }

  /// Asks for the second factor that the provider calls for: the first of its list.
  private func secondFactor(_ continuation: String) async throws(SignInError) -> SignInState {
    let answer = try await post(.introspect, ["continuation_token": continuation])
    let token = try token(of: answer)
    guard case .array(let methods) = answer.json?["methods"],
      let method = methods.first(where: {
        $0["challenge_type"]?.text == ChallengeType.outOfBand.rawValue
      }), let identifier = method["id"]?.text, !identifier.isEmpty
    else { throw SignInError(.invalidChallenge, correlationID: context.processID) }
    return try await challenge(token, method: identifier)
  }

  private func challenge(
    _ continuation: String, method identifier: String, again: SignInState? = nil
  ) async throws(SignInError) -> SignInState {
    let answer = try await post(
      .challenge, ["continuation_token": continuation, "id": identifier], again: again)
    return try state(after: answer, grant: "mfa_oob") { again async throws(SignInError) in
      try await challenge(try token(of: answer), method: identifier, again: again)
    }
  }

  /// Has the code sent once more; the state is the one to be in when that is refused.
  private typealias Resending = SignInStep<SignInState>

  /// The state in which a challenge leaves the person.
  ///
  /// - Throws: `.exchange(.wrongMember)` for a way that was not asked for.
  private func state(
    after answer: ServiceAnswer, grant: String, resending: @escaping Resending
  ) throws(SignInError) -> SignInState {
    let continuation = try token(of: answer)
    let isSecond = grant == "mfa_oob"
    switch answer.text("challenge_type").flatMap(ChallengeType.init) {
    case .outOfBand where isSecond || method.challengeTypes.contains(.outOfBand):
      return codeState(answer, continuation, grant, resending)
    case .password where !isSecond && method.challengeTypes.contains(.password):
      return passwordState(continuation)
    case .outOfBand, .password, .redirect, nil:
      throw failure(.wrongMember("challenge_type"))
    }
  }

  private func codeState(
    _ answer: ServiceAnswer, _ continuation: String, _ grant: String,
    _ resending: @escaping Resending
  ) -> SignInState {
    let again: @Sendable () -> SignInState = { codeState(answer, continuation, grant, resending) }
    return .codeRequired(
      CodeRequired(
        sentTo: answer.text("challenge_target_label"), channel: answer.text("challenge_channel"),
        length: answer.integer("code_length", in: 1...32),
        interval: answer.integer("interval", in: 0...3600),
        submitting: { code async throws(SignInError) in
          try await redeem(continuation, grant, ["oob": code], again: again())
        }, resending: { () async throws(SignInError) in try await resending(again()) }))
  }

  private func passwordState(_ continuation: String) -> SignInState {
    .passwordRequired(
      PasswordRequired { password async throws(SignInError) in
        try await redeem(
          continuation, "password", ["password": password], again: passwordState(continuation))
      })
  }

  /// Exchanges what the person has shown for tokens; a password may not be enough.
  private func redeem(
    _ continuation: String, _ grant: String, _ proof: KeyValuePairs<String, String>,
    again: SignInState
  ) async throws(SignInError) -> SignInState {
    let answer = try await send(
      .token,
      HTTPForm(
        [
          QueryItem("continuation_token", continuation), QueryItem("grant_type", grant),
          QueryItem("scope", method.scopes.joined(separator: " ")),
          QueryItem("client_info", "true"),
        ] + proof.map { QueryItem($0.key, $0.value) }))
    guard !answer.isSuccess else {
      try refuseRedirect(answer)
      return .completed(try await account(of: answer))
    }
    let failure = NativeAuthFailure(answer, .token)
    if let continuation = failure.secondFactorToken {
      return try await secondFactor(continuation)
    }
    throw failure.error(again, context.processID)
  }

  /// New tokens for an old one; the claims stay where no new identity token comes.
  func refresh(_ account: Account, _ token: String) async throws(SignInError) -> Account {
    let answer: ServiceAnswer
    do throws(SignInError) {
      answer = try await post(
        .token,
        [
          "grant_type": "refresh_token", "refresh_token": token,
          "scope": method.scopes.joined(separator: " "),
        ])
    } catch {
      guard error.isOldGrant else { throw error }
      throw SignInError(
        .refreshTokenExpired, number: error.number, correlationID: error.correlationID)
    }
    return try await self.account(of: answer, before: account)
  }

  private func post(
    _ request: NativeAuthRequest, _ form: HTTPForm, again: SignInState? = nil
  ) async throws(SignInError) -> ServiceAnswer {
    let answer = try await send(request, form)
    guard answer.isSuccess else {
      throw NativeAuthFailure(answer, request).error(again, context.processID)
    }
    try refuseRedirect(answer)
    return answer
  }

  private func send(
    _ request: NativeAuthRequest, _ form: HTTPForm
  ) async throws(SignInError) -> ServiceAnswer {
    let url = method.authority.appending(request.path)
    let form = HTTPForm([QueryItem("client_id", method.clientID)] + form.fields)
    do throws(ExchangeProblem) { return try await line.post(form, to: url) } catch {
      throw failure(error)
    }
  }

  private func token(of answer: ServiceAnswer) throws(SignInError) -> String {
    do throws(ExchangeProblem) { return try answer.requiredText("continuation_token") } catch {
      throw failure(error)
    }
  }

  /// An exchange that failed, with this sign-in's own number.
  private func failure(_ problem: ExchangeProblem) -> SignInError {
    SignInError(SignInError(problem).reason, correlationID: context.processID)
  }

  /// "This client cannot do it: open a browser."
  private func refuseRedirect(_ answer: ServiceAnswer) throws(SignInError) {
    guard answer.text("challenge_type") != ChallengeType.redirect.rawValue else {
      throw SignInError(.browserRequired, correlationID: context.processID)
    }
  }

  private func account(
    of answer: ServiceAnswer, before: Account? = nil
  ) async throws(SignInError) -> Account {
    try await NativeAuthTokens(line, method, context).account(of: answer, before: before)
  }
}
