package import Primitives

extension Diagnosis {
  /// Refused by a server, or by a person in front of it.
  package static func refused(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String? = nil,
    advice: Message = .again
  ) -> Diagnosis {
    Diagnosis(.serverRefused, name, arguments, key: key, advice: advice)
  }

  /// Refused by an identity provider's SAML response, with the number of its error if it has one.
  package static func notGranted(_ number: Int?) -> Diagnosis {
    guard let code = number.flatMap({ IdentityProviderCode(rawValue: $0) }), code != .success else {
      return refused("service-refused", key: "service-refused-saml")
    }
    return refused(
      code.name, ["code": code.name, "meaning": code.meaning], key: "not-granted",
      advice: code.advice)
  }

  /// Untrusted, or not understood.
  package static func untrusted(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String? = nil
  ) -> Diagnosis {
    Diagnosis(.untrustedRequest, name, arguments, key: key, advice: Message("untrusted.do"))
  }
}

extension Message {
  /// The advice if another attempt may succeed.
  package static let again = Message("again.do")
  /// The advice if no attempt can succeed with this card.
  static let newCard = Message("new-card.do")
}
