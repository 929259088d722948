@testable import CIECard
@testable import RedirectFlow
import Testing
import TestSupport
import VirtualCIE

/// A software card with its PIN verified, and its log.
struct CardFixture {
  let card: VirtualCard
  let key: CardLoginKey<VirtualCardChannel>
  let persona: Persona

  init(faults: FaultPlan = FaultPlan()) throws {
    persona = try #require(Persona.all.first)
    card = VirtualCard(persona: persona, faults: faults)
    var random = SystemRandom()
    let pin = try PIN(Secret([UInt8](persona.pin.utf8)))
    key = try CardLoginKey(
      IdentityCard(over: VirtualCardChannel(card))
        .authenticate(checking: .skipped, random: &random).verify(pin))
  }

  /// The number of signatures with the holder's key.
  var signatures: Int { card.log.counters.holderSignatures }

  /// The issuer of the card's certificate, as PEM.
  var issuer: String { get throws { try Certificate(der: persona.certificateIssuer).pem } }
}

/// A key in a file, for certificates that no persona has.
final class FileLoginKey: LoginKey {
  let certificate: Certificate
  private let path: String
  private(set) var signatures = 0

  init(_ identity: TestAuthority.Identity) throws {
    let der = try TestAuthority.openssl([
      "x509", "-in", identity.certificate, "-outform", "DER",
    ])
    certificate = try Certificate(der: der)
    path = identity.key
  }

  func sign(_ digest: Digest) throws(CardError) -> SignedAssertion {
    signatures += 1
    let signature = try? TestAuthority.openssl(
      ["pkeyutl", "-sign", "-inkey", path, "-pkeyopt", "digest:\(digest.algorithm.rawValue)"],
      input: digest.bytes)
    guard let signature,
      let assertion = SignedAssertion(
        certificate: certificate, digest: digest, signature: signature)
    else { throw CardError(.sign, .signatureFalse) }
    return assertion
  }
}

extension HTTPClient {
  /// Posts a form with the card's key; throws an error of HTTP itself.
  func callWithCard(
    _ url: String, form: HTTPForm, key: any LoginKey,
    bodyLimit: Int = HTTPRequest.usualBodyLimit
  ) throws -> HTTPResponse {
    do throws(LoginError) {
      return try settings.postWithCard(url, form: form, key: key, bodyLimit: bodyLimit)
    } catch {
      if case .http(let error, .cardCall) = error.cause { throw error }
      throw error
    }
  }
}
