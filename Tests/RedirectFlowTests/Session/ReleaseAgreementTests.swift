import Primitives
import Synchronization
import Testing

@testable import RedirectFlow
@testable import Web

/// The posted attributes are the shown and accepted ones: the names of a consent page against those of a response.
@Suite struct ReleaseAgreementTests {
  private func check(_ shown: [(String, String)], _ attributes: String) throws(LoginError) {
    let request = ConsentRequest(
      serviceProvider: try RedirectURL(judging: Script.sp, at: .consent).origin,
      attributes: shown.map { .init(label: $0.0, value: $0.1) })
    let document = Responses.document(content: Responses.assertion(attributes))
    let response = try mapError(try SAMLResponse(base64: Responses.base64(document))) {
      LoginError(.handOff($0))
    }
    try ReleaseAgreement(request).check(response)
  }

  private static func attribute(_ name: String, _ friendly: String?, _ values: String...) -> String
  {
    let friendlyName = friendly.map { " FriendlyName=\"\($0)\"" } ?? ""
    return "<saml:Attribute Name=\"\(name)\"\(friendlyName)>"
      + values.map { "<saml:AttributeValue>\($0)</saml:AttributeValue>" }.joined()
      + "</saml:Attribute>"
  }

  /// The labels of pages in two languages, the names of CIE, SPID, eIDAS and X.500.
  @Test(arguments: [
    ("Nome", "name", nil), ("Nome", "urn:oid:2.5.4.42", "givenName"), ("Nome:", "givenName", nil),
    ("Cognome", "familyName", nil), ("Surname", "urn:oid:2.5.4.4", "sn"),
    ("Data di Nascita", "dateOfBirth", "Data di nascita"), ("Date of birth", "dateOfBirth", nil),
    ("Codice Fiscale", "fiscalNumber", nil), ("Tax code", "fiscalNumber", "Codice Fiscale"),
    ("Indirizzo di posta elettronica", "email", nil), ("Numero di cellulare", "mobilePhone", nil),
    ("Nome e cognome", "familyName", nil), ("Luogo di nascita", "placeOfBirth", nil),
    (
      "Name", "http://eidas.europa.eu/attributes/naturalperson/CurrentGivenName", nil
    ), ("Reddito", "urn:x:income", "Reddito"), ("income", "urn:x:income", nil),
  ])
  func `a label covers the attribute that it means`(
    _ label: String, _ name: String, _ friendlyName: String?
  ) throws {
    try check([(label, "")], Self.attribute(name, friendlyName, "1"))
  }

  @Test(arguments: [
    ("Nome", "familyName", nil), ("Nome", "fiscalNumber", nil), ("Nome", "dateOfBirth", nil),
    // An attribute's name for people is no reason to treat it as another one.
    ("Nome", "fiscalNumber", "Nome"), ("Nome", "urn:oid:2.5.4.4", "Nome"),
    ("Nome", "urn:x:income", nil), ("Nome", "urn:x:income", "Reddito"),
    ("***", "", nil), ("", "x", nil), ("Nome", "", ""),
  ])
  func `any other attribute exceeds the agreement`(
    _ label: String, _ name: String, _ friendlyName: String?
  ) {
    let good = Self.attribute("name", nil, "ADA")
    let error = #expect(throws: LoginError.self) {
      try check([("Nome", "ADA"), (label, "")], good + Self.attribute(name, friendlyName, "1"))
    }
    #expect(error?.cause == .moreThanAgreed([UntrustedText(name)]))
  }

  /// Under its own label, a page shows its values: all of them, as whole words.
  @Test func `shown values may be released`() throws {
    try check([("Chi sei", "ADA PROVA, 1980-01-11")], Self.attribute("familyName", nil, "PROVA"))
    try check(
      [("Chi sei", "ADA PROVA, 1980-01-11")],
      Self.attribute("name", nil, "ADA") + Self.attribute("dateOfBirth", nil, "1980-01-11"))
    for values in [["PRO"], ["ADA", "OVA"], ["PROVA", "X"], [""], []] {
      let told =
        "<saml:Attribute Name=\"familyName\">"
        + values.map { "<saml:AttributeValue>\($0)</saml:AttributeValue>" }.joined()
        + "</saml:Attribute>"
      #expect(throws: LoginError.self) { try check([("Chi sei", "ADA PROVA")], told) }
    }
  }

  /// The receiver can read an attribute anywhere in the document (SAML 2.0 Core §2.6.1).
  @Test func `attributes in the advice of an assertion count`() {
    let advice =
      "<saml:Advice><saml:Assertion><saml:AttributeStatement>"
      + Self.attribute("fiscalNumber", nil, "X")
      + "</saml:AttributeStatement></saml:Assertion></saml:Advice>"
    #expect(throws: LoginError(.moreThanAgreed([UntrustedText("fiscalNumber")]))) {
      try check([("Nome", "")], advice + Self.attribute("name", nil, "ADA"))
    }
  }
}

/// Keeps the contents of a login.
private final class Heard: Sendable {
  private let events = Mutex([LoginEvent]())

  var all: [LoginEvent] { events.withLock { $0 } }

  func hear(_ event: LoginEvent) { events.withLock { $0.append(event) } }
}

/// Release agreements in logins that post.
@Suite struct AgreedAnswerTests {
  private static let one = """
    <title>Consenso</title><dl><dt>Nome</dt><dd>ADA</dd></dl><x-data>Codice Fiscale X</x-data>
    <form method=post action=/idp/consent><button name=choice value=accept>Acconsento</button></form>
    """

  @Test func `a page that shows one attribute, and an answer with two, is not posted`() throws {
    let pages = ScriptedPages(
      Script.good.merging([Script.idp + "/idp/Authn/X509": .page(Self.one)]) { $1 })
    #expect(throws: LoginError(.moreThanAgreed([UntrustedText("fiscalNumber")]))) {
      try pages.logIn()
    }
    #expect(pages.requests.contains { $0.hasPrefix("POST \(Script.idp)/idp/consent") })
    #expect(!pages.requests.contains { $0.hasPrefix("POST \(Script.sp)") })
  }

  /// Without its page, the answer's attributes are shown; one with a misleading label, by its real name.
  @Test func `an attribute is shown by its real name`() throws {
    let content = Responses.assertion(
      "<saml:Attribute Name=\"fiscalNumber\" FriendlyName=\"Nome\"/>"
        + "<saml:Attribute Name=\"x\" FriendlyName=\"Reddito\"/>"
        + "<saml:Attribute Name=\"name\" FriendlyName=\"Nome\"/>")
    let response = try SAMLResponse(
      base64: Responses.base64(Responses.document(content: content)))
    let origin = try RedirectURL(Script.sp).origin
    let request = try response.request(for: origin, from: origin)
    #expect(request.attributes.map(\.label) == ["fiscalNumber", "Reddito", "Nome"])
  }

  @Test func `an encrypted answer is posted, and reported as encrypted`() throws {
    let sealed = Responses.page(Responses.document(content: Responses.sealed))
    let pages = ScriptedPages(
      Script.good.merging([Script.idp + "/idp/consent": .page(sealed)]) { $1 })
    let events = Heard()
    _ = try pages.logIn { events.hear($0) }
    #expect(events.all.contains(.answerSealed(for: try RedirectURL(Script.sp).origin)))
  }
}
