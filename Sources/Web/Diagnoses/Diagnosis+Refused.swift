package import Primitives

extension Diagnosis {
  /// Refused by a server, or by a person in front of it.
  package static func refused(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String? = nil,
    advice: Message = .again
  ) -> Diagnosis {
    Diagnosis(.serverRefused, name, arguments, key: key, advice: advice)
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
  package static let newCard = Message("new-card.do")
}
