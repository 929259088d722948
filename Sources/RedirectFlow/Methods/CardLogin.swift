internal import CIECard
internal import Primitives

/// The card's call, by the method of the environment.
struct CardLogin {
  let environment: LoginEnvironment
  let exchange: any CardExchange
  let card: any CardAccess

  func complete(_ link: CardHandOff) throws(LoginError) -> RedirectURL {
    switch environment.method {
    case .clientCertificate: try code(for: link)
    case .signedChallenge: try signature(for: link)
    }
  }
}

/// The card's key in mutual TLS, one POST, a code back: the method of the clients in use (io-cie-sdk, cie-sdk-ios).
extension CardLogin {
  /// Asks for a code and puts it into the link's `nextUrl`.
  ///
  /// - Throws: `.http`, `.status` and `.navigation` of the card call, `.code` when the answer is anything but a code.
  private func code(for link: CardHandOff) throws(LoginError) -> RedirectURL {
    let form: HTTPForm = [
      link.name: link.value, "authnRequest": link.authnRequest, "generaCodice": "1",
    ]
    let response = try card.withKey { key in
      Result { () throws(LoginError) in try answer(to: form, with: key) }
    }
    guard response.status == 200 else {
      throw LoginError(.status(response.status, .cardCall))
    }
    let code = try mapError(try LoginCode(responseBody: response.body)) { LoginError(.handOff($0)) }
    return link.completedURL(code: code)
  }

  private func answer(
    to form: HTTPForm, with key: any LoginKey
  ) throws(LoginError) -> HTTPResponse {
    let endpoint = environment.loginEndpoint
    let first = try exchange.post(endpoint, form, bodyLimit: LoginCode.bodyLimit, with: key)
    guard let location = first.location else { return first }
    // cie-sdk-ios follows one redirect, as POST again. The certificate is sent only to the intended server.
    let second = try exchange.post(
      try sameServer(location, as: endpoint), form, bodyLimit: LoginCode.bodyLimit, with: key)
    guard second.location == nil else { throw LoginError(.navigation(.tooManyHops, .cardCall)) }
    return second
  }

  private func sameServer(
    _ location: String, as endpoint: RedirectURL
  ) throws(LoginError) -> RedirectURL {
    let url = try RedirectURL(judging: location, at: .cardCall)
    guard url.origin == endpoint.origin else {
      throw LoginError(.navigation(.leftEnvironment(url.origin), .cardCall))
    }
    return url
  }
}

/// The card's certificate in a form, a challenge back, its signature in the completed URL: TLS without the card's key,
/// so that it may be 1.3 (cieid-android-sdk of 2023).
extension CardLogin {
  /// The longest challenge that is signed, in bytes; the length of real ones is not published.
  static let challengeLimit = 4 << 10

  /// Sends the certificate and has the card sign the answer, byte for byte, with SHA-256.
  ///
  /// - Throws: `.http` and `.status` of the card call, `.emptyChallenge`, `.card`.
  private func signature(for link: CardHandOff) throws(LoginError) -> RedirectURL {
    let signature = try card.withKey { key in
      Result { () throws(LoginError) in
        try sign(try challenge(for: key.certificate, link), with: key)
      }
    }
    return link.challengeCompletionURL(signature: signature)
  }

  private func challenge(
    for certificate: Certificate, _ link: CardHandOff
  ) throws(LoginError) -> [UInt8] {
    let form: HTTPForm = [
      "cert": certificate.der.hexadecimal.lowercased(), "authnRequest": link.authnRequest,
    ]
    let response = try mapError(
      try exchange.post(environment.challengeEndpoint, form, bodyLimit: Self.challengeLimit)
    ) { LoginError($0, at: .cardCall) }
    guard response.status == 200 else {
      throw LoginError(.status(response.status, .cardCall))
    }
    guard !response.body.isEmpty else { throw LoginError(.emptyChallenge) }
    return response.body
  }

  private func sign(
    _ challenge: [UInt8], with key: any LoginKey
  ) throws(LoginError) -> [UInt8] {
    let digest = try mapError(try Digest(.sha256, hashing: challenge)) {
      LoginError(.card(CardError(.sign, .crypto($0))))
    }
    return try mapError(try key.sign(digest).signature) { LoginError(.card($0)) }
  }
}
