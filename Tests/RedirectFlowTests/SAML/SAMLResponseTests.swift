import Testing

@testable import Web

/// The parsing of a response: as liberal about its notation as XML is, and no more.
@Suite struct SAMLResponseTests {
  private func read(_ document: String) throws -> SAMLResponse {
    try SAMLResponse(base64: Responses.base64(document))
  }

  @Test func readsStatusDestinationAndAttributes() throws {
    let response = try read(Responses.document())
    #expect(response.status.isSuccess && response.status.code == .success)
    #expect(response.destination == Script.sp + "/acs")
    #expect(response.attributes.map(\.name) == ["name", "fiscalNumber"])
    #expect(response.attributes.map(\.friendlyName) == ["Nome", nil])
    #expect(response.attributes.map(\.values) == [["ADA"], ["TINIT-X"]])
    #expect(response.hasAssertion && !response.isEncrypted)
    for text in ["\(response)", "\(response.attributes)"] { #expect(!text.contains("ADA")) }
  }

  /// Other prefixes, none, quotes, order, line ends, comments, CDATA, references: the same document to XML.
  @Test(arguments: [
    """
    <Response Version='2.0' xmlns='urn:oasis:names:tc:SAML:2.0:protocol'><Status>
      <StatusCode
        Value='urn:oasis:names:tc:SAML:2.0:status:Responder' ></StatusCode>
      <StatusMessage>ErrorCode<!-- x --> n<![CDATA[r2]]>5</StatusMessage></Status></Response>
    """,
    """
    \u{FEFF}<?xml version="1.0"?><!-- > " ' --><?p "<"?>
    <saml2p:Response xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" Note="a > b" Destination="https://sp.example/acs?a=1&amp;b=2">
    <saml2p:Status><saml2p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder">
    <saml2p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></saml2p:StatusCode>
    <saml2p:StatusMessage>ErrorCode nr&#50;5</saml2p:StatusMessage></saml2p:Status></saml2p:Response>
    """,
  ])
  func readsEveryWayToWriteIt(_ document: String) throws {
    let response = try read(document)
    #expect(response.status.code == .responder && response.status.errorNumber == 25)
    #expect(!response.status.isSuccess && response.attributes.isEmpty && !response.hasAssertion)
    #expect(response.destination == nil || response.destination == "https://sp.example/acs?a=1&b=2")
  }

  @Test(arguments: [
    ("ErrorCode nr22", 22), ("errorcode NR08.", 8), ("nr1", 1), ("ErrorCode nr222", nil),
    ("number 22", nil), ("nr", nil), ("nrx1", nil), ("", nil),
  ])
  func readsErrorNumbers(_ message: String, _ number: Int?) throws {
    let response = try read(Responses.document(status: Responses.responder, message: message))
    #expect(response.status.errorNumber == number)
  }

  /// A good status with a bad number beside it, or with a suffix to its name, is no success.
  @Test func onlySuccessIsSuccess() throws {
    #expect(try read(Responses.document(message: "ErrorCode nr01")).status.isSuccess)
    #expect(try !read(Responses.document(message: "ErrorCode nr23")).status.isSuccess)
    for status in ["Success", Responses.success + " ", Responses.success.lowercased(), "", "x"] {
      let response = try read(Responses.document(status: status))
      #expect(!response.status.isSuccess && response.status.uri == nil)
    }
  }

  @Test func seesWhatIsSealed() throws {
    #expect(try read(Responses.document(content: Responses.sealed)).isEncrypted)
    let attribute = Responses.assertion.replacing(
      "</saml:AttributeStatement>", with: "<saml:EncryptedAttribute/></saml:AttributeStatement>")
    #expect(try read(Responses.document(content: attribute)).isEncrypted)
  }

  /// Status and attributes count only at the standard's places, in their namespaces.
  @Test(arguments: [
    ("<Response/>", SAMLProblem.notAResponse),
    (Responses.document().replacing(":2.0:protocol", with: ":1.0:protocol"), .notAResponse),
    (Responses.document().replacing("samlp:Response", with: "samlp:LogoutResponse"), .notAResponse),
    (Responses.document().replacing("samlp:Status>", with: "samlp:State>"), .noStatus),
    (Responses.document().replacing("Value=", with: "value="), .noStatus),
    (
      Responses.document().replacing(
        "</samlp:Status>", with: "</samlp:Status><samlp:Status/>"), .noStatus
    ),
    (
      Responses.document().replacing(
        "</samlp:Status>",
        with: "<samlp:StatusCode Value='\(Responses.responder)'/></samlp:Status>"), .noStatus
    ),
    ("", .notXML), ("<a", .notXML), ("<a><b></a>", .notXML), ("<x:a/>", .notXML),
    ("<a b='1' b='2'/>", .notXML), ("<a>&e;</a>", .notXML), ("<!-- a", .notXML),
    ("<a/><b/>", .notXML), ("text", .notXML), ("<a\u{0}/>", .notXML),
    ("<!DOCTYPE a><a/>", .documentType),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>", .documentType),
    ("<a><!ELEMENT b></a>", .documentType),
  ])
  func refusesWhatIsNoResponse(_ document: String, _ problem: SAMLProblem) {
    #expect(throws: HandOffError.response(problem)) { try read(document) }
  }

  @Test func refusesWhatIsNoBase64() throws {
    let good = Responses.base64(Responses.document())
    for text in ["*", "A", good + "=", "=" + good, good.replacing("A", with: "é"), "PA=a"] {
      #expect(throws: HandOffError.response(.notBase64)) { try SAMLResponse(base64: text) }
    }
    // Lines of 76 characters are usual (RFC 2045), some omit padding.
    var lines = good
    lines.insert(contentsOf: "\r\n", at: lines.index(lines.startIndex, offsetBy: 76))
    #expect(try SAMLResponse(base64: lines).status.isSuccess)
    #expect(try SAMLResponse(base64: good.trimmingSuffix("=")).status.isSuccess)
  }

  /// However it is built, reading it takes no noticeable time, and does not end the program.
  @Test func hostileDocuments() {
    let many = { (text: String, size: Int) in
      String(repeating: text, count: size / text.utf8.count)
    }
    let attributes = (0..<50_000).map { " a\($0)='>'" }.joined()
    let spaces = (0..<50_000).map { " xmlns:a\($0)='u'" }.joined()
    for document in ["<a\(attributes)/>", "<a\(spaces)/>", many("<a>", 900_000)] {
      #expect(throws: HandOffError.response(.tooComplex)) { try read(document) }
    }
    #expect(throws: HandOffError.response(.tooLarge(limit: 1 << 20))) {
      try read(many("a", 2 << 20))
    }
    for document in [
      many("<a/>", 1 << 20), many("<", 1 << 20), many("<!--", 1 << 20),
      "<a b='" + many("x", 900_000),
      "<a>" + many("&#x41;", 900_000), many("<![CDATA[", 900_000), "<?" + many("?", 900_000),
    ] {
      #expect(throws: HandOffError.self) { try read(document) }
    }
  }

  @Test func everyPrefixAndEveryChangedByte() {
    let document = Array(Responses.document(message: "ErrorCode nr25").utf8)
    for length in document.indices { _ = try? SAMLResponse(document: Array(document[..<length])) }
    for index in document.indices {
      for byte in [0x00, 0x22, 0x3C, 0x26, 0x80, 0xFF] as [UInt8] {
        var changed = document
        changed[index] = byte
        _ = try? SAMLResponse(document: changed)
      }
    }
    #expect(throws: Never.self) { try SAMLResponse(document: document) }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    var text = self
    while text.hasSuffix(suffix) { text.removeLast(suffix.count) }
    return text
  }
}
