internal import Primitives

/// An identity provider as its metadata describes it (SAML 2.0 Metadata §2.3.2, §2.4.3).
///
/// A signature is not looked at: a file is as trustworthy as its source.
package struct IdentityProviderMetadata: Sendable {
  package let entityID: String
  /// Its name for people, if it gives one (§2.3.2.1). Any sender can have written it.
  package let name: UntrustedText?
  /// The addresses for requests by POST: the servers of its `SingleSignOnService` of that binding.
  package let origins: Set<RedirectURL.Origin>

  private static let namespace = "urn:oasis:names:tc:SAML:2.0:metadata"
  private static let binding = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"

  /// The identity providers of a document, which describes one or several.
  ///
  /// - Throws: `.response`; its `.notAResponse` for a document without any.
  package static func read(_ document: [UInt8]) throws(HandOffError) -> [IdentityProviderMetadata] {
    let providers = entities(try XMLParser.parse(document)).compactMap(Self.init)
    guard !providers.isEmpty else { throw .response(.notAResponse) }
    return providers
  }

  /// Groups may hold groups (§2.3.1); the parser limits the depth.
  private static func entities(_ element: XMLElement) -> [XMLElement] {
    guard element.namespace == namespace else { return [] }
    switch element.name {
    case "EntityDescriptor": return [element]
    case "EntitiesDescriptor": return element.children.flatMap(entities)
    default: return []
    }
  }

  private init?(_ entity: XMLElement) {
    let services = entity.children("IDPSSODescriptor", in: Self.namespace)
      .flatMap { $0.children("SingleSignOnService", in: Self.namespace) }
    let origins = services.compactMap { service -> RedirectURL.Origin? in
      guard service.attributes["Binding"] == Self.binding,
        let url = try? RedirectURL(service.attributes["Location"] ?? ""), url.scheme == .https
      else { return nil }
      return url.origin
    }
    guard let entityID = entity.attributes["entityID"], !entityID.isEmpty, !origins.isEmpty else {
      return nil
    }
    self.entityID = entityID
    self.origins = Set(origins)
    name = entity.children("Organization", in: Self.namespace)
      .flatMap { $0.children("OrganizationDisplayName", in: Self.namespace) }
      .first.map { UntrustedText($0.trimmedText) }
  }
}
