internal import CIECard
internal import RedirectFlow
internal import System

/// What the token request gave, once the identity token is proved by the keys that the provider publishes beside its
/// issuer; never by a key that comes with the token.
struct NativeAuthTokens {
  private let line: ServiceLine
  private let method: EmailSignIn
  private let context: SignInContext

  init(_ line: ServiceLine, _ method: EmailSignIn, _ context: SignInContext) {
    self.line = line
    self.method = method
    self.context = context
  }

  /// The account of an answer.
  ///
  /// - Parameter before: what is refreshed; its claims stay where no new identity token comes, and one that comes continues
  ///   the one before (OpenID Connect Core §12.2).
  func account(
    of answer: ServiceAnswer, before: Account?
  ) throws(SignInError) -> Account {
    let access: String
    do throws(ExchangeProblem) {
      access = try answer.requiredText("access_token")
      // How a token of another type is used, nobody here knows (RFC 6749 §7.1).
      guard try answer.requiredText("token_type").lowercased() == "bearer" else {
        throw .wrongMember("token_type")
      }
    } catch { throw failure(error) }
    let identity = answer.text("id_token")
    let seconds = answer.integer("expires_in", in: 0...31_536_000)
    let tokens = Account.Tokens(
      access: access, refresh: answer.text("refresh_token") ?? before?.tokens?.refresh,
      identity: identity ?? before?.tokens?.identity,
      expires: seconds.map { UTCTime(seconds: context.now().seconds + Int64($0)) },
      scope: answer.text("scope"))
    if identity == nil, let before { return before.refreshed(tokens) }
    let proved = try claims(of: identity)
    let claims = AccountClaims(proved)
    guard let before else {
      return Account(
        service: context.service, method: SignInMethod.email.rawValue, claims: claims,
        begun: context.now(), tokens: tokens)
    }
    guard before.claims["sub"] == claims["sub"] else {
      throw SignInError(.otherSession, correlationID: context.processID)
    }
    do throws(TokenProblem) {
      if let former = before.tokens?.identity { try proved.checkContinues(.unproved(former)) }
    } catch { throw SignInError(.token(error), correlationID: context.processID) }
    return before.refreshed(tokens, claims)
  }

  private func claims(of token: String?) throws(SignInError) -> TokenClaims {
    guard let token else { throw failure(.missingMember("id_token")) }
    let provider = try get(
      method.authority.appending("v2.0/.well-known/openid-configuration"))
    let address: RedirectURL
    do throws(ExchangeProblem) {
      let issuer = try provider.requiredURL("issuer")
      guard method.issuer.map({ $0 == issuer }) ?? (issuer.origin == method.authority.origin) else {
        throw .wrongMember("issuer")
      }
      address = try provider.requiredURL("jwks_uri")
    } catch { throw failure(error) }
    guard let keys = try get(address).bytes else { throw failure(.notJSON(status: 200)) }
    do throws(TokenProblem) {
      let claims = try TokenVerifier(keys: try KeySet(json: keys)).verify(
        token,
        TokenExpectations(issuer: provider.text("issuer") ?? "", audience: method.clientID),
        now: context.now())
      // Without it nobody could tell whether a later token is of the same person.
      _ = try claims.requiredText("sub")
      return claims
    } catch { throw SignInError(.token(error), correlationID: context.processID) }
  }

  private func get(_ url: RedirectURL) throws(SignInError) -> ServiceAnswer {
    let answer: ServiceAnswer
    do throws(ExchangeProblem) { answer = try line.get(url) } catch { throw failure(error) }
    guard answer.isSuccess else {
      throw SignInError(.status(answer.status), correlationID: context.processID)
    }
    return answer
  }

  private func failure(_ problem: ExchangeProblem) -> SignInError {
    SignInError(SignInError(problem).cause, correlationID: context.processID)
  }
}

extension ServiceAnswer {
  /// A number that must make sense; `nil` for any other.
  func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    json?[name]?.integer.flatMap { range.contains($0) ? $0 : nil }
  }
}
