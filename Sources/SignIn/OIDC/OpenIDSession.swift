internal import CIECard
internal import RedirectFlow
internal import Synchronization
internal import System

/// The way to one provider, once it has said what it is: its endpoints, its keys, and our own key.
package final class OpenIDSession: Sendable {
  package let client: OpenIDClient
  package let provider: OpenIDProvider
  let key: ClientKey
  let context: SignInContext
  let line: ServiceLine
  private let known = Mutex<KeySet?>(nil)

  /// Reads our key and asks the provider what it is: by discovery, or by a chain of trust where the description names an
  /// anchor.
  package static func open(
    _ client: OpenIDClient, _ context: SignInContext
  ) throws(SignInError) -> OpenIDSession {
    let key: ClientKey
    do throws(ClientKeyProblem) { key = try ClientKey(file: client.keyFile) } catch {
      throw SignInError(.clientKey(error, path: client.keyFile))
    }
    let line = context.line(to: client.origins)
    let claims: TokenClaims
    if let anchor = client.anchor {
      claims = try TrustChain(to: anchor, line, now: context.now)
        .metadata(of: client.issuer)
    } else {
      claims = try discovered(client, line)
    }
    do throws(OpenIDProblem) {
      return OpenIDSession(client, try OpenIDProvider(claims, for: client), key, context, line)
    } catch {
      throw SignInError(.openID(error))
    }
  }

  private init(
    _ client: OpenIDClient, _ provider: OpenIDProvider, _ key: ClientKey,
    _ context: SignInContext, _ line: ServiceLine
  ) {
    self.client = client
    self.provider = provider
    self.key = key
    self.context = context
    self.line = line
  }

  private static func discovered(
    _ client: OpenIDClient, _ line: ServiceLine
  ) throws(SignInError) -> TokenClaims {
    let url: RedirectURL
    do throws(OpenIDProblem) {
      url = try OpenIDClient.wellKnown("openid-configuration", of: client.issuer)
    } catch {
      throw SignInError(.openID(error))
    }
    let answer = try SignInError.onLine { () throws(ExchangeProblem) in
      try line.get(url)
    }
    return try claims(of: answer)
  }

  /// The object of a successful answer.
  static func claims(of answer: ServiceAnswer) throws(SignInError) -> TokenClaims {
    guard answer.isSuccess else { throw SignInError(refusedBy: answer) }
    guard let json = answer.json else {
      throw SignInError(.exchange(.notJSON(status: answer.status)))
    }
    do throws(TokenProblem) { return try TokenClaims(json) } catch {
      throw SignInError(.token(error))
    }
  }

  /// POST of a form, with the proof of who we are (RFC 7523 §2.2).
  func post(
    _ fields: [QueryItem], to endpoint: RedirectURL
  ) throws(SignInError) -> ServiceAnswer {
    let proof = try assertion(for: endpoint)
    let form = HTTPForm(
      fields + [
        QueryItem("client_id", client.clientID),
        QueryItem(
          "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        QueryItem("client_assertion", proof),
      ])
    return try SignInError.onLine { () throws(ExchangeProblem) in
      try line.post(form, to: endpoint)
    }
  }

  /// Made out to the token endpoint, as the CIE's rules want; elsewhere to that one, too.
  private func assertion(for endpoint: RedirectURL) throws(SignInError) -> String {
    let now = Int(context.now().seconds)
    let audiences = [provider.token.text] + (endpoint == provider.token ? [] : [endpoint.text])
    let audience =
      audiences.count == 1 ? JSON.string(audiences[0]) : .array(audiences.map(JSON.string))
    return try signed(
      .object([
        .init("iss", client.clientID), .init("sub", client.clientID), .init("aud", audience),
        .init("jti", try SignInContext.randomLetters(32)), .init("iat", now),
        .init("exp", now + 120),
      ]))
  }

  /// A token that we sign.
  func signed(_ claims: JSON) throws(SignInError) -> String {
    do throws(TokenProblem) { return try key.sign(claims) } catch {
      throw SignInError(.clientKey(.unusable, path: client.keyFile))
    }
  }

  /// Does something with the provider's keys; once more with new ones when it may have changed them since.
  func withKeys<Value: Sendable>(
    _ body: @Sendable (TokenVerifier) throws(TokenProblem) -> Value
  ) throws(SignInError) -> Value {
    let known = provider.givenKeys ?? known.withLock { $0 }
    do throws(TokenProblem) {
      if let known { return try body(TokenVerifier(keys: known)) }
    } catch {
      guard error == .keyUnknown || error == .signatureInvalid, provider.keys != nil else {
        throw SignInError(.token(error))
      }
    }
    guard let address = provider.keys else { throw SignInError(.token(.keyUnknown)) }
    let answer = try SignInError.onLine { () throws(ExchangeProblem) in
      try line.get(address)
    }
    let claims = try Self.claims(of: answer)
    do throws(TokenProblem) {
      let fresh = try KeySet(claims)
      self.known.withLock { $0 = fresh }
      return try body(TokenVerifier(keys: fresh))
    } catch {
      throw SignInError(.token(error))
    }
  }
}

extension SignInContext {
  /// Random letters and digits alone: at least 32 of them are what the CIE's rules want of `state` and `nonce`.
  static func randomLetters(_ count: Int) throws(SignInError) -> String {
    var text = ""
    while text.utf8.count < count {
      text += try randomText(count).filter { $0.isLetter || $0.isNumber }
    }
    return String(text.prefix(count))
  }
}
