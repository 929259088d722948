internal import Foundation
@testable import Web

/// The messages in pages, and the metadata of their authors.
extension FuzzTarget {
  static let messages = [saml, authnRequest, metadata]

  static let assertion = """
    <a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="a" Version="2.0">
    <a:AttributeStatement><a:Attribute Name="name" FriendlyName="Nome"><a:AttributeValue>ADA</a:AttributeValue>
    </a:Attribute><a:Attribute Name="fiscalNumber"><a:AttributeValue> TINIT-X </a:AttributeValue></a:Attribute>
    </a:AttributeStatement></a:Assertion>
    """

  static func response(_ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="r" Version="2.0" Destination="https://sp.example/acs">
    <p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/><p:StatusMessage>ErrorCode nr1
    </p:StatusMessage></p:Status>\(content)</p:Response>
    """
  }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private static let saml = FuzzTarget("saml-response") {
    let sealed = #"<a:EncryptedAssertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion"/>"#
    let documents = Seeds.lines(response(assertion), response(sealed), response(""))
    return Seeds.behind([[0]], documents)
      + Seeds.behind([[1]], Seeds.lines(base64(response(assertion))))
      // Only the contents of the statement, which the fuzzer puts into a good response.
      + Seeds.behind([[2]], Seeds.lines("Nome\nADA\nfiscalNumber\nTINIT-X"))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let read: SAMLResponse
    var lines: [String] = []
    switch choices[0] % 3 {
    case 0: read = try SAMLResponse(document: rest)
    case 1: read = try SAMLResponse(base64: String(decoding: rest, as: UTF8.self))
    default:
      lines = rest.split(separator: 0x0A).map {
        String(decoding: $0, as: UTF8.self).filter { $0 != "<" && $0 != "&" && $0 != "\"" }
      }
      let attributes = stride(from: 0, to: lines.count - 1, by: 2).map {
        "<a:Attribute Name=\"\(lines[$0])\"><a:AttributeValue>\(lines[$0 + 1])"
          + "</a:AttributeValue></a:Attribute>"
      }
      read = try SAMLResponse(
        document: [UInt8](
          response(
            "<a:Assertion xmlns:a=\"urn:oasis:names:tc:SAML:2.0:assertion\"><a:AttributeStatement>"
              + attributes.joined() + "</a:AttributeStatement></a:Assertion>"
          ).utf8))
      probe.require(read.attributes.count == lines.count / 2, "each attribute is read")
    }
    probe.require(
      read.attributes.count * 10 <= probe.bytes.count + 10 * lines.count, "a bounded number")
  }

  private static let authnRequest = FuzzTarget("authn-request") {
    let document =
      #"<p:AuthnRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" "#
      + #"Destination="https://idp.test/sso"/>"#
    return Seeds.lines(document, base64(document))
  } play: { probe in
    let request = try AuthnRequest(probe.text)
    let again = try? AuthnRequest(request.base64)
    probe.require(again?.destination == request.destination, "a request that is sent is read")
  }

  private static let metadata = FuzzTarget("spid-metadata") {
    func entity(_ name: String) -> String {
      """
      <m:EntityDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://\(name).test/entity">
      <m:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
      <m:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://\(name).test/sso"/>
      </m:IDPSSODescriptor><m:Organization><m:OrganizationDisplayName xml:lang="it"> Prova ID
      </m:OrganizationDisplayName></m:Organization></m:EntityDescriptor>
      """
    }
    return Seeds.lines(
      entity("idp"),
      #"<m:EntitiesDescriptor xmlns:m="urn:oasis:names:tc:SAML:2.0:metadata">"#
        + entity("idp") + entity("two") + "</m:EntitiesDescriptor>")
  } play: { probe in
    let providers = try IdentityProviderMetadata.read(probe.bytes)
    probe.require(
      providers.allSatisfy { provider in
        !provider.origins.isEmpty && provider.origins.allSatisfy { $0.scheme == .https }
      }, "https alone")
  }
}
