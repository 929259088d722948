/// Sign-in by native authentication: each response has the `continuation_token` for the next request (MSAL for iOS,
/// native authentication; redirect-flow.md §5.3).
struct NativeAuthConversation: Sendable {
  let method: EmailSignIn
  let context: SignInContext
  let line: ServiceLine

  init(_ method: EmailSignIn, _ context: SignInContext) {
    self.method = method
    self.context = context
    line = context.line(
      to: [method.authority.origin],
      headers: [.init(name: "client-request-id", value: context.processID)])
  }

  var nameState: SignInState {
    .userNameRequired(
      SignInState.UserNameRequired(context: context) { name throws(SignInError) in
        try context.correlated(try start(name))
      })
  }

  /// Sends the user name and requests a challenge.
  ///
  /// - Throws: `.invalidUserName` before any request; `.userNotFound`, `.browserRequired`.
  func start(_ name: String) throws(SignInError) -> SignInState {
    guard EmailAddress.isPlausible(name) else {
      throw SignInError(.invalidUserName, again: nameState)
    }
    let answer = try post(
      .initiate,
      ["username": name, "challenge_type": challengeTypes, "capabilities": "mfa_required"],
      again: nameState)
    return try challenge(try token(of: answer), again: nameState)
  }

  private var challengeTypes: String {
    (method.challengeTypes + [.redirect]).map(\.rawValue).joined(separator: " ")
  }

  /// Requests a challenge; for a code, the provider sends it.
  ///
  /// - Parameter factor: identifier of the second factor; `nil` for a first one of the provider's choice.
  private func challenge(
    _ continuation: String, factor: String? = nil, again: SignInState? = nil
  ) throws(SignInError) -> SignInState {
    let wanted = factor.map { QueryItem("id", $0) } ?? QueryItem("challenge_type", challengeTypes)
    let answer = try post(
      .challenge, HTTPForm([QueryItem("continuation_token", continuation), wanted]), again: again)
    let grant = factor == nil ? "oob" : Self.secondGrant
    return try state(after: answer, grant: grant) { again throws(SignInError) in
      try challenge(try token(of: answer), factor: factor, again: again)
    }
  }

  /// Requests the second factor that the provider demands: the first code in its list.
  private func secondFactor(_ continuation: String) throws(SignInError) -> SignInState {
    let answer = try post(.introspect, ["continuation_token": continuation])
    let token = try token(of: answer)
    guard case .array(let methods) = answer.json?["methods"],
      let method = methods.first(where: {
        $0["challenge_type"]?.text == ChallengeType.outOfBand.rawValue
      }), let identifier = method["id"]?.text, !identifier.isEmpty
    else { throw SignInError(.invalidChallenge) }
    return try challenge(token, factor: identifier)
  }

  private static let secondGrant = "mfa_oob"

  /// Requests another code; its input is the state in which to try again after a refusal.
  private typealias Resending = SignInStep<SignInState>

  /// - Throws: `.exchange(.wrongMember)` for a challenge type that was not requested.
  private func state(
    after answer: ServiceAnswer, grant: String, resending: @escaping Resending
  ) throws(SignInError) -> SignInState {
    let continuation = try token(of: answer)
    let isSecond = grant == Self.secondGrant
    switch answer.text("challenge_type").flatMap(ChallengeType.init) {
    case .outOfBand where isSecond || method.challengeTypes.contains(.outOfBand):
      return codeState(answer, continuation, grant, resending)
    case .password where !isSecond && method.challengeTypes.contains(.password):
      return passwordState(continuation)
    case .outOfBand, .password, .redirect, nil:
      throw .exchange(.wrongMember("challenge_type"))
    }
  }

  private func codeState(
    _ answer: ServiceAnswer, _ continuation: String, _ grant: String,
    _ resending: @escaping Resending
  ) -> SignInState {
    let again: @Sendable () -> SignInState = { codeState(answer, continuation, grant, resending) }
    return .codeRequired(
      SignInState.CodeRequired(
        context, sentTo: answer.text("challenge_target_label"),
        channel: answer.text("challenge_channel"),
        length: answer.integer("code_length", in: 1...32),
        interval: answer.integer("interval", in: 0...3600),
        submitting: { code throws(SignInError) in
          try context.correlated(try redeem(continuation, grant, ["oob": code], again: again()))
        }, resending: { () throws(SignInError) in try context.correlated(try resending(again())) }))
  }

  private func passwordState(_ continuation: String) -> SignInState {
    .passwordRequired(
      SignInState.PasswordRequired(context: context) { password throws(SignInError) in
        try context.correlated(
          try redeem(
            continuation, "password", ["password": password], again: passwordState(continuation)))
      })
  }

  /// Redeems the person's code or password for tokens; the provider may demand a second factor.
  private func redeem(
    _ continuation: String, _ grant: String, _ proof: KeyValuePairs<String, String>,
    again: SignInState
  ) throws(SignInError) -> SignInState {
    let answer = try send(
      .token,
      HTTPForm(
        [
          QueryItem("continuation_token", continuation), QueryItem("grant_type", grant),
          QueryItem("scope", method.scopes.joined(separator: " ")),
          QueryItem("client_info", "true"),
        ] + proof.map { QueryItem($0.key, $0.value) }))
    guard !answer.isSuccess else {
      try refuseRedirect(answer)
      return .completed(try account(of: answer))
    }
    let failure = NativeAuthFailure(answer: answer, request: .token)
    // Only one second factor is accepted, because a provider that demands another would cause a loop.
    if grant != Self.secondGrant, let continuation = failure.secondFactorToken {
      return try secondFactor(continuation)
    }
    throw failure.error(again)
  }

  /// Refreshes the tokens; the claims stay if the response has no new ID token.
  func refresh(_ account: Account, _ token: String) throws(SignInError) -> Account {
    let answer = try mapError(
      try post(
        .token,
        [
          "grant_type": "refresh_token", "refresh_token": token,
          "scope": method.scopes.joined(separator: " "),
        ])
    ) { (error: SignInError) in error.isOldGrant ? error.ofRefresh : error }
    return try self.account(of: answer, before: account)
  }

  private func post(
    _ request: NativeAuthRequest, _ form: HTTPForm, again: SignInState? = nil
  ) throws(SignInError) -> ServiceAnswer {
    let answer = try send(request, form)
    guard answer.isSuccess else {
      throw NativeAuthFailure(answer: answer, request: request).error(again)
    }
    try refuseRedirect(answer)
    return answer
  }

  private func send(
    _ request: NativeAuthRequest, _ form: HTTPForm
  ) throws(SignInError) -> ServiceAnswer {
    let url = method.authority.appending(request.path)
    let form = HTTPForm([QueryItem("client_id", method.clientID)] + form.fields)
    return try line.post(form, to: url)
  }

  private func token(of answer: ServiceAnswer) throws(SignInError) -> String {
    try answer.requiredText("continuation_token")
  }

  private func refuseRedirect(_ answer: ServiceAnswer) throws(SignInError) {
    guard answer.text("challenge_type") != ChallengeType.redirect.rawValue else {
      throw SignInError(.browserRequired)
    }
  }
}
