internal import CIECard

/// The card's certificate in a form, a challenge back, its signature in the completed URL: TLS without the card's key,
/// so that it may be 1.3 (cieid-android-sdk of 2023).
struct SignedChallengeLogin: LoginMethod {
  /// The longest challenge that is signed, in bytes; how long real ones are is not published.
  static let challengeLimit = 4 << 10

  let environment: LoginEnvironment
  let exchange: any CardExchange
  let card: any CardAccess

  /// Shows the certificate, has the card sign the answer, byte for byte, with SHA-256.
  ///
  /// - Throws: `.http` and `.status` of the card call, `.emptyChallenge`, `.card`.
  func complete(_ link: CardHandOff) throws(LoginError) -> RedirectURL {
    let signature = try card.withKey { (key) throws(LoginError) in
      try sign(try challenge(for: key.certificate, link), with: key)
    }
    return link.challengeCompletionURL(signature: signature)
  }

  private func challenge(
    for certificate: Certificate, _ link: CardHandOff
  ) throws(LoginError) -> [UInt8] {
    let form: HTTPForm = [
      "cert": certificate.der.hexadecimal.lowercased(), "authnRequest": link.authnRequest,
    ]
    let response = try LoginError.at(.cardCall) { () throws(HTTPError) in
      try exchange.post(environment.challengeEndpoint, form, bodyLimit: Self.challengeLimit)
    }
    guard response.status == 200 else { throw .status(response.status, .cardCall) }
    guard !response.body.isEmpty else { throw .emptyChallenge }
    return response.body
  }

  private func sign(
    _ challenge: [UInt8], with key: any LoginKey
  ) throws(LoginError) -> [UInt8] {
    let digest: Digest
    do throws(CryptoError) { digest = try Digest(.sha256, hashing: challenge) } catch {
      throw .card(CardError(.sign, .crypto(error)))
    }
    do throws(CardError) { return try key.sign(digest).signature } catch { throw .card(error) }
  }
}
