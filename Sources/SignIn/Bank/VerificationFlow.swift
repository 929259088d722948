/// Purpose of a verification; raw value: its word in the path.
package enum VerificationFlow: String, Sendable, Hashable, CaseIterable {
  case login
  /// Extension of the session.
  case prolong
  /// Signature with the service's own key.
  case signing
  /// Proof for another party, such as a counter.
  case verification
}

/// Verification method; raw value: its word in the lists. Unknown words are hidden.
enum VerificationMethod: String, Sendable, Hashable, CaseIterable {
  case bank = "bankid"
  case monobank
  case privatbank
  /// Identity card: here the card in a reader.
  case card = "nfc"
  case code = "sms-otp"

  /// Known methods of a list, without duplicates.
  static func list(_ value: JSONValue?) -> [VerificationMethod] {
    guard case .array(let elements) = value else { return [] }
    var known: [VerificationMethod] = []
    for element in elements {
      guard let method = element.text.flatMap({ VerificationMethod(rawValue: $0.lowercased()) }),
        !known.contains(method)
      else { continue }
      known.append(method)
    }
    return known
  }
}
