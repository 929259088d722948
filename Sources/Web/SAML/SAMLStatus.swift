package import Primitives

/// The status of a SAML response (SAML 2.0 Core §3.2.2.1): the identity provider's result of the login.
package struct SAMLStatus: Sendable, Hashable {
  enum Code: String, Sendable, Hashable, CaseIterable {
    /// The person was authenticated.
    case success = "Success"
    /// The service provider's request was at fault.
    case requester = "Requester"
    /// The identity provider, or the person, did not complete it.
    case responder = "Responder"
    /// The request's version was not understood.
    case versionMismatch = "VersionMismatch"
  }

  static let prefix = "urn:oasis:names:tc:SAML:2.0:status:"

  /// The top-level code; `nil` for one that the standard does not know.
  let code: Code?
  /// The number of `ErrorCode nrXX` in the message, by the CIE identity provider's list (cie-eid-saml-docs, error
  /// codes).
  package let errorNumber: Int?

  /// The code as it stands in the response; `nil` for an unknown one, which need not be repeated.
  var uri: String? { code.map { Self.prefix + $0.rawValue } }

  /// True if the person was authenticated, without any error number that contradicts it.
  package var isSuccess: Bool { code == .success && (errorNumber == nil || errorNumber == 1) }

  init(uri: String, message: String) {
    code = Code.allCases.first { uri == Self.prefix + $0.rawValue }
    errorNumber = Self.errorNumber(in: message)
  }

  /// The first word of `nr` and one or two digits.
  static func errorNumber(in text: String) -> Int? {
    let words = text.utf8.split { !ASCII.isAlphanumeric($0) }
    return words.lazy.compactMap { word -> Int? in
      guard ASCII.lowercased(word.prefix(2)) == "nr", (3...4).contains(word.count) else {
        return nil
      }
      return Int(String(decoding: word.dropFirst(2), as: UTF8.self))
    }.first
  }
}

extension SAMLStatus: StableObject {
  package static let facts: [Fact<SAMLStatus>] = [Fact("samlStatus", \.uri)]
}
