import Web
import Primitives
import Testing

@testable import SignIn

@Suite struct SPIDRequestTests {
  private static let document = SPIDScript.document(to: SPIDScript.destination)

  private func problem(_ json: String, hosts: [String] = ["idp.test"]) -> SignInError.Cause? {
    do {
      _ = try SPIDRequest(json: [UInt8](json.utf8), hosts: hosts)
      return nil
    } catch { return error.cause }
  }

  @Test func `the published answer is accepted as a file, its request as base64 or as XML`() throws
  {
    let base64 = SPIDScript.answer(Self.document, SPIDScript.destination)
    let quoted = Self.document.replacing("\"", with: #"\""#)
    let plain = #"{"xmlAuthRequest":" \#(quoted)\n","destinationUrl":"https://idp.test/sso"}"#
    for text in [base64, plain, base64.replacing("PHA6QXV0", with: #"PHA6\nQXV0"#)] {
      let request = try SPIDRequest(json: [UInt8](text.utf8), hosts: ["idp.test"])
      #expect(request.destination.text == SPIDScript.destination)
      let page = String(decoding: request.page(ReturnWords()), as: UTF8.self)
      #expect(page.hasPrefix(#"<!doctype html><html lang="en">"#))
      #expect(page.contains(#"<form method="post" action="https://idp.test/sso">"#))
      let sent = String(decoding: Base64.encode([UInt8](Self.document.utf8)), as: UTF8.self)
      #expect(page.contains(#"name="SAMLRequest" value="\#(sent)">"#))
      #expect(!printed(request).contains("PHA6"))
    }
  }

  @Test func `a destination must be one of the listed servers, by https`() throws {
    func answer(_ destination: String) -> String {
      SPIDScript.answer(SPIDScript.document(to: destination), destination)
    }
    #expect(problem(answer("https://idp.test/sso")) == nil)
    #expect(problem(answer("http://idp.test/sso")) == .exchange(.notHTTPS))
    let others = [
      "https://elsewhere.test/sso", "https://idp.test:8443/sso", "https://idp.test.elsewhere.test/",
    ]
    for other in others {
      #expect(
        problem(answer(other)) == .exchange(.foreignHost(try RedirectURL(other).origin)))
    }
    for wrong in ["javascript:alert(1)", "", "/sso", "https://x@idp.test/", "https://idp.test/#a"] {
      #expect(problem(answer(wrong)) == .exchange(.wrongMember("destinationUrl")))
    }
    #expect(problem(answer("https://idp.test/sso"), hosts: []) != nil)
  }

  @Test
  func `a request must be one, for this destination, without a document type and not too long`() {
    let wrong = SignInError.Cause.exchange(.wrongMember("xmlAuthRequest"))
    let there = SPIDScript.destination
    let documents = [
      SPIDScript.document(to: "https://idp.test/other"), SPIDScript.document(to: ""),
      #"<p:AuthnRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_f"/>"#,
      Self.document.replacing("2.0:protocol", with: "2.0:other"),
      Self.document.replacing("AuthnRequest", with: "Response"),
      SPIDScript.document(to: there, #"<!DOCTYPE a [<!ENTITY b "c">]>"#),
      Self.document.replacing("/>", with: ">"), "<", "", "{}",
      Self.document + String(repeating: " ", count: 64 << 10),
    ]
    for document in documents { #expect(problem(SPIDScript.answer(document, there)) == wrong) }
    for text in [#"\"><script>"#, "A", "=", String(repeating: "A", count: 140_000)] {
      #expect(problem(#"{"xmlAuthRequest":"\#(text)","destinationUrl":"\#(there)"}"#) == wrong)
    }
  }

  @Test func `an answer that is none is refused`() {
    let good = SPIDScript.answer(Self.document, SPIDScript.destination)
    #expect(problem("") == .exchange(.notJSON(status: 200)))
    #expect(problem(good + " x") == .exchange(.notJSON(status: 200)))
    #expect(
      problem(String(repeating: " ", count: 256 << 10) + good) == .exchange(.notJSON(status: 200)))
    #expect(problem("[]") == .exchange(.missingMember("destinationUrl")))
    #expect(
      problem(#"{"destinationUrl":"https://idp.test/sso"}"#)
        == .exchange(.missingMember("xmlAuthRequest")))
    #expect(
      problem(#"{"destinationUrl":7,"xmlAuthRequest":"a"}"#)
        == .exchange(.missingMember("destinationUrl")))
    #expect(
      problem(#"{"destinationUrl":"a","destinationUrl":"b"}"#)
        == .exchange(.repeatedMember("destinationUrl")))
  }
}
