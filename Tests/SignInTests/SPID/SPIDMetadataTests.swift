import Foundation
import Web
import Primitives
import TestSupport
import Testing

@testable import SignIn

/// SPID providers from their metadata instead of the service's list.
@Suite struct SPIDMetadataTests {
  private static func entity(_ name: String, _ location: String, _ shown: String = "") -> String {
    """
    <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="\(name)">
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="\(location)"/>
      </md:IDPSSODescriptor>\(shown)
    </md:EntityDescriptor>
    """
  }

  private static let shown = """
    <md:Organization><md:OrganizationName xml:lang="it">Prova</md:OrganizationName>
    <md:OrganizationDisplayName xml:lang="it"> Prova ID </md:OrganizationDisplayName></md:Organization>
    """

  private static let two =
    #"<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">"#
    + entity("https://idp.test/entity", "https://idp.test/sso", shown)
    + entity("urn:example:two", "https://two.test:8443/sso") + "</md:EntitiesDescriptor>"

  private func method(_ text: String) throws -> SPIDSignIn {
    let folder = try TemporaryDirectory()
    try folder.write("providers.xml", [UInt8](text.utf8))
    var entry = try ServiceEntry(
      JSONValue([UInt8](#"{"base":"\#(SPIDScript.base)","metadata":"providers.xml"}"#.utf8)),
      folder: folder.url.path + "/")
    let method = try SPIDSignIn(&entry)
    try entry.finish()
    return method
  }

  @Test func `the list comes from the metadata, and the service is not asked for one`() async throws
  {
    let servers = SPIDScript().servers
    let method = try method(Self.two)
    let state = try method.begin(try servers.context())
    guard case .providerRequired(let choice) = state else { throw OtherState(state) }
    #expect(choice.providers.map(\.identifier) == ["idp.test", "urn:example:two"])
    #expect(choice.providers.map(\.name.display) == ["Prova ID", "urn:example:two"])
    #expect(servers.requests.isEmpty)
    #expect(
      method.destinations.map(\.description).sorted() == [
        "https://idp.test", "https://sp.test", "https://two.test:8443",
      ])
    _ = try await choice.choose("idp.test")
    #expect(servers.requests.count == 1)
    #expect(servers.requests.first?.contains("entityId=https%3A%2F%2Fidp.test%2Fentity") == true)
  }

  @Test func `a request to a server that no metadata names is not sent`() async throws {
    var script = SPIDScript()
    script.request = .json(
      SPIDScript.answer(SPIDScript.document(to: "https://evil.test/sso"), "https://evil.test/sso"))
    // A single provider is chosen without a question.
    let method = try method(Self.entity("https://idp.test/entity", "https://idp.test/sso"))
    let context = try script.servers.context()
    let error = #expect(throws: SignInError.self) { try method.begin(context) }
    #expect(error?.cause == .exchange(.foreignHost(try RedirectURL("https://evil.test/").origin)))
  }

  @Test func `a provider counts as far as it takes requests by POST`() throws {
    let redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
    let post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
    let other =
      #"<md:SingleSignOnService Binding="\#(redirect)" Location="https://redirect.test/sso"/>"#
    let both = Self.entity("https://idp.test/entity", "https://idp.test/sso")
      .replacing("</md:IDPSSODescriptor>", with: other + "</md:IDPSSODescriptor>")
    #expect(
      try method(both).destinations.map(\.description).sorted() == [
        "https://idp.test", "https://sp.test",
      ])
    expectUnfit(.wrongMember("metadata")) {
      try method(both.replacing(post, with: redirect))
    }
  }

  @Test(arguments: [
    "", "<a/>", "{}", entity("", "https://idp.test/sso"),
    entity("https://idp.test", "http://idp.test/sso"),
    "<!DOCTYPE a>" + entity("https://idp.test", "https://idp.test/sso"),
    #"<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">"#
      + entity("https://idp.test/a", "https://idp.test/sso")
      + entity("https://idp.test/b", "https://idp.test/sso") + "</md:EntitiesDescriptor>",
  ])
  func `metadata that name no provider, or two alike, are refused with the description`(
    _ text: String
  ) throws {
    expectUnfit(.wrongMember("metadata")) { try method(text) }
  }
}
