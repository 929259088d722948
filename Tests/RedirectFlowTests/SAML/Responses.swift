import Foundation

/// Responses as identity providers write them, for the invented service provider of `Script`.
enum Responses {
  static let success = "urn:oasis:names:tc:SAML:2.0:status:Success"
  static let responder = "urn:oasis:names:tc:SAML:2.0:status:Responder"

  static let assertion = assertion(
    """
    <saml:Attribute Name="name" FriendlyName="Nome"><saml:AttributeValue>ADA</saml:AttributeValue>
    </saml:Attribute><saml:Attribute Name="fiscalNumber"><saml:AttributeValue> TINIT-X </saml:AttributeValue></saml:Attribute>
    """)

  /// An assertion with these attributes.
  static func assertion(_ attributes: String) -> String {
    """
    <saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="a" Version="2.0">
    <saml:AttributeStatement>\(attributes)</saml:AttributeStatement></saml:Assertion>
    """
  }
  static let sealed = """
    <saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>
    """

  /// A response as text.
  static func document(
    status: String = success, message: String? = nil, destination: String? = Script.sp + "/acs",
    content: String = assertion
  ) -> String {
    let message = message.map { "<samlp:StatusMessage>\($0)</samlp:StatusMessage>" } ?? ""
    let destination = destination.map { " Destination=\"\($0)\"" } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="r" Version="2.0"\(destination)>
      <samlp:Status><samlp:StatusCode Value="\(status)"/>\(message)</samlp:Status>
      \(content)</samlp:Response>
      """
  }

  /// The form's value.
  static func base64(_ document: String) -> String { Data(document.utf8).base64EncodedString() }

  /// A page that hands a response over.
  static func page(_ document: String = document(), to action: String = Script.sp + "/acs")
    -> String
  {
    "<form method=post action='\(action)'>"
      + "<input type=hidden name=SAMLResponse value='\(base64(document))'></form>"
  }
}
