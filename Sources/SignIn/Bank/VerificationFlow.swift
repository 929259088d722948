internal import RedirectFlow
internal import System

/// The purpose of a verification, in the word of the address.
package enum VerificationFlow: String, Sendable, Hashable, CaseIterable {
  /// To sign in.
  case login
  /// To stay signed in longer.
  case prolong
  /// To make a signature with the service's own key.
  case signing
  /// For somebody else, such as a counter.
  case verification
}

/// How a person is verified, in the word of the lists. Words that are not here are hidden.
package enum VerificationMethod: String, Sendable, Hashable, CaseIterable {
  /// A bank of the list of banks.
  case bank = "bankid"
  /// One bank, named.
  case monobank
  /// One bank, named.
  case privatbank
  /// The identity card: here the card in a reader.
  case card = "nfc"
  /// A code by text message.
  case code = "sms-otp"

  /// The known ones of a list, each once.
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
