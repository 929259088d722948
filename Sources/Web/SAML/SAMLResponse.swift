internal import Primitives

/// A response (SAML 2.0 Core §3.3.3), as far as its carrier can know it.
///
/// Its signature is not looked at: only the service provider knows the right key. So a good status here is no proof;
/// any other one ends the login.
package struct SAMLResponse: Sendable {
  private static let protocolNamespace = "urn:oasis:names:tc:SAML:2.0:protocol"
  private static let assertionNamespace = "urn:oasis:names:tc:SAML:2.0:assertion"

  package let status: SAMLStatus
  /// The address to which the response says that it must go (its `Destination`), unchecked.
  package let destination: String?
  /// The attributes of all its readable assertions, of assertions in assertions, too.
  package let attributes: [SAMLAttribute]
  package let hasAssertion: Bool
  /// True if there is an assertion, or an attribute, that only the service provider can read.
  package let isEncrypted: Bool

  package init(_ method: HTTPRequest.Method) throws(HandOffError) {
    guard case .post(let form) = method,
      let field = form.fields.first(where: { $0.name == "SAMLResponse" })
    else { throw .response(.notAResponse) }
    try self.init(base64: field.value)
  }

  /// Reads the value of the form's field; white space in it is ignored.
  init(base64 text: String) throws(HandOffError) {
    // Four characters stand for three bytes; line ends are extra.
    guard text.utf8.count <= 2 * XMLParser.sizeLimit else {
      throw .response(.tooLarge(limit: XMLParser.sizeLimit))
    }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let bytes = Base64.decode(text.utf8.filter { !isSpace($0) }) else {
      throw .response(.notBase64)
    }
    try self.init(document: bytes)
  }

  init(document: [UInt8]) throws(HandOffError) {
    let root = try XMLParser.parse(document)
    guard root.name == "Response", root.namespace == Self.protocolNamespace else {
      throw .response(.notAResponse)
    }
    let statuses = root.children("Status", in: Self.protocolNamespace)
    guard statuses.count == 1, let element = statuses.first else { throw .response(.noStatus) }
    let codes = element.children("StatusCode", in: Self.protocolNamespace)
    guard codes.count == 1, let uri = codes.first?.attributes["Value"] else {
      throw .response(.noStatus)
    }
    let message = element.children("StatusMessage", in: Self.protocolNamespace).map(\.text)
    status = SAMLStatus(uri: uri, message: message.joined(separator: " "))
    destination = root.attributes["Destination"].flatMap { $0.isEmpty ? nil : $0 }

    // At any depth, as in the advice of an assertion (§2.6.1), because any receiver of the document can read them.
    let all = root.all(in: Self.assertionNamespace)
    let sealed: Set = ["EncryptedAssertion", "EncryptedAttribute"]
    hasAssertion = all.contains { $0.name == "Assertion" || $0.name == "EncryptedAssertion" }
    isEncrypted = all.contains { sealed.contains($0.name) }
    attributes = all.filter { $0.name == "Attribute" }.map(Self.attribute)
  }

  private static func attribute(_ element: XMLElement) -> SAMLAttribute {
    SAMLAttribute(
      name: element.attributes["Name"] ?? "",
      friendlyName: element.attributes["FriendlyName"].flatMap { $0.isEmpty ? nil : $0 },
      values: element.children("AttributeValue", in: assertionNamespace).map(\.trimmedText))
  }
}

extension SAMLResponse: Redacted {
  package var description: String { "SAML response, \(attributes.count) attributes" }
}

/// An attribute of the person in an assertion (SAML 2.0 Core §2.7.3.1).
public struct SAMLAttribute: Sendable, Equatable {
  /// Its name, such as `fiscalNumber`.
  public let name: String
  /// Its name for people, such as "Codice Fiscale", if the identity provider gives one.
  public let friendlyName: String?
  /// Its values; personal.
  public let values: [String]
}

extension SAMLAttribute: Redacted {
  /// The name alone.
  public var description: String { name }
}
