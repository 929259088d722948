package import Primitives

/// The CIE identity provider's error codes (cie-eid-saml-docs, codici di errore): 19, 20 and 24 are reserved.
package enum IdentityProviderCode: Int, CaseIterable, Sendable {
  case success = 1
  case unavailable = 2
  case systemError = 3
  case binding = 4
  case redirectSignature = 5
  case method = 6
  case postSignature = 7
  case request = 8
  case version = 9
  case issuer = 10
  case identifier = 11
  case context = 12
  case issueInstant = 13
  case destination = 14
  case passive = 15
  case consumerService = 16
  case nameIDPolicy = 17
  case attributeService = 18
  case timeout = 21
  case consentRefused = 22
  case cardInvalid = 23
  case cancelled = 25

  /// As in `nr08`.
  package var name: String { rawValue < 10 ? "nr0\(rawValue)" : "nr\(rawValue)" }

  package var meaning: Message { Message("idp.\(name)") }

  package var advice: Message {
    switch self {
    case .unavailable, .systemError: Message("idp-later.do")
    case .binding, .redirectSignature, .method, .postSignature, .request, .version, .issuer,
      .identifier, .context, .issueInstant, .destination, .passive, .consumerService,
      .nameIDPolicy, .attributeService:
      Message("idp-service.do")
    case .cardInvalid: .newCard
    case .success, .timeout, .consentRefused, .cancelled: .again
    }
  }
}
