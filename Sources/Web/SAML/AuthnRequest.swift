internal import Primitives

/// A service provider's request to an identity provider (SAML 2.0 Core §3.4.1), as far as its carrier can know it.
///
/// Its signature is not looked at: only the identity provider knows the right key.
package struct AuthnRequest: Sendable {
  /// The longest request, in bytes; signed ones have about five thousand.
  static let sizeLimit = 64 << 10
  private static let namespace = "urn:oasis:names:tc:SAML:2.0:protocol"

  /// The address to which the request says that it must go (its `Destination`).
  package let destination: String
  /// The document as it is sent in a form (SAML 2.0 Bindings §3.5.4).
  package let base64: String

  /// Reads a request: the document, or its base64. White space around it, and in the base64, is ignored.
  ///
  /// - Throws: `.response`; its `.notAResponse` for a document that is no request, or has no destination.
  package init(_ text: String) throws(HandOffError) {
    let tooLarge = HandOffError.response(.tooLarge(limit: Self.sizeLimit))
    // Four characters stand for three bytes; line ends are extra.
    guard text.utf8.count <= 2 * Self.sizeLimit else { throw tooLarge }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let trimmed = [UInt8](text.utf8).trimmed(isSpace)
    let document: [UInt8]
    if trimmed.first == UInt8(ascii: "<") {
      document = [UInt8](trimmed)
    } else {
      guard let bytes = Base64.decode(trimmed.filter { !isSpace($0) }) else {
        throw .response(.notBase64)
      }
      document = bytes
    }
    guard document.count <= Self.sizeLimit else { throw tooLarge }
    let root = try XMLParser.parse(document)
    guard root.name == "AuthnRequest", root.namespace == Self.namespace,
      let destination = root.attributes["Destination"]
    else { throw .response(.notAResponse) }
    self.destination = destination
    base64 = String(decoding: Base64.encode(document), as: UTF8.self)
  }
}

extension AuthnRequest: Redacted {
  package var description: String { "authentication request" }
}
