import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning
@testable import cie_lab

/// Lists of Italy that are not taken, each for its reason; the stored one stays.
@Suite struct TrustedListForgeryTests {
  private let rig: ListRig
  private let text: String

  init() throws {
    rig = try ListRig()
    text = String(decoding: try #require(rig.documents["it.xml"]), as: UTF8.self)
  }

  private func problem(_ text: String) -> TrustedListProblem? { rig.problem(Array(text.utf8)) }

  /// The problem of a list whose signature is made in another way.
  private func problem(
    _ change: (inout MadeSignature) -> Void
  ) throws -> TrustedListProblem? {
    var signature = MadeSignature()
    change(&signature)
    return rig.problem(try rig.italy({ _ in }, signature))
  }

  /// A byte of content at many places. A name, a digit or a blank in a tag counts as much as a text.
  @Test func `one byte changed`() throws {
    let signers = try Set([HashAlgorithm.sha256.hash(rig.lists.italian.certificate.der)])
    let bytes = Array(text.utf8)
    var changed = 0
    for place in stride(from: 60, to: bytes.count, by: 61) {
      var other = bytes
      other[place] = other[place] == UInt8(ascii: "e") ? UInt8(ascii: "f") : UInt8(ascii: "e")
      #expect(throws: TrustedListProblem.self, "byte \(place)") {
        _ = try TrustedList(other, by: signers)
      }
      changed += 1
    }
    #expect(changed > 200)
    #expect(throws: Never.self) { _ = try TrustedList(bytes, by: signers) }
  }

  @Test func `changed contents`() {
    #expect(problem(text.exchanging("Prestatore", for: "Altro")) == .signatureFalse)
    #expect(problem(text.exchanging("2023-11-14T00", for: "2023-11-15T00")) == .signatureFalse)
    let value = text.parts(between: "<ds:SignatureValue>")[1].prefix(8)
    #expect(problem(text.exchanging(String(value), for: "AAAAAAAA")) == .signatureFalse)
  }

  /// Signed contents in another place, and other contents where the signed ones stood.
  @Test func `a wrapped signature`() throws {
    let signature = "<ds:Signature" + text.parts(between: "<ds:Signature ")[1]
    let whole = try #require(
      signature.parts(between: "</TrustServiceStatusList>").first.map {
        $0.exchanging("<ds:Signaturexmlns", for: "<ds:Signature xmlns")
      })
    #expect(whole.hasSuffix("</ds:Signature>"))
    var list = rig.lists.italy
    list.provider = "Falso"
    let (head, tail) = list.parts
    // The original inside of the signature's Object, and as an extension of another list.
    let original = text.exchanging(whole.description, for: "")
    let object = whole.description.exchanging(
      "</ds:Object>", for: "</ds:Object><ds:Object>\(original)</ds:Object>")
    #expect(problem(head + object + tail) == .unacceptedSignature("Signature"))
    let extended = head.exchanging(
      "</SchemeInformation>",
      for: "<SchemeExtensions><Extension Critical=\"false\">\(text)</Extension></SchemeExtensions>"
        + "</SchemeInformation>")
    #expect(problem(extended + tail) == .unsigned)
    #expect(problem(head + whole.description + tail) == .signatureFalse)
    #expect(problem("<Wrapper>\(text)</Wrapper>") == .form("Wrapper"))
  }

  @Test func `number of signatures`() throws {
    let (head, tail) = rig.lists.italy.parts
    #expect(problem(head + tail) == .unsigned)
    let one = try MadeSignature().element(over: head + tail, by: rig.lists.italian)
    #expect(problem(head + one + one + tail) == .unsigned)
  }

  @Test func `algorithms`() throws {
    let old = "http://www.w3.org/2000/09/xmldsig#"
    for method in [
      old + "rsa-sha1", old + "hmac-sha1", old + "dsa-sha1",
      "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
      "http://www.w3.org/2001/04/xmldsig-more#rsa-md5", "",
    ] {
      #expect(try problem { $0.method = method } == .unacceptedSignature(method))
    }
    #expect(try problem { $0.digestMethod = old + "sha1" } == .unacceptedSignature(old + "sha1"))
    // One that is accepted, but not the one of the value.
    let other = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"
    #expect(try problem { $0.method = other } == .signatureFalse)
    #expect(
      try problem { $0.method = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256" }
        == .signatureFalse)
  }

  @Test func `references and transforms`() throws {
    for address in [
      "file:///etc/hostname", "http://lists.test/x", "#other", "#xpointer(/)",
    ] {
      #expect(try problem { $0.address = address } == .unacceptedSignature(address), "\(address)")
    }
    // The identifier of the root covers the whole list, too.
    #expect(try problem { $0.address = "#list" } == nil)
    let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
    // Twice the properties, and nothing else.
    #expect(try problem { $0.address = "#properties" } == .unacceptedSignature(enveloped))
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
    for transform in [
      "http://www.w3.org/TR/1999/REC-xpath-19991116", "http://www.w3.org/TR/1999/REC-xslt-19991116",
      "http://www.w3.org/2002/06/xmldsig-filter2", "http://www.w3.org/2000/09/xmldsig#base64",
      exclusive + "WithComments",
    ] {
      #expect(
        try problem { $0.transforms = [enveloped, transform] } == .unacceptedSignature(transform))
      #expect(
        try problem { $0.transforms = [enveloped, transform, exclusive] }
          == .unacceptedSignature(transform))
    }
    #expect(
      try problem { $0.transforms = [exclusive] } == .unacceptedSignature("Transforms"))
    let more = "<ds:Reference URI=\"\"></ds:Reference>"
    #expect(try problem { $0.moreReferences = more } == .unacceptedSignature("SignedInfo"))
    let manifest =
      "<ds:Manifest><ds:Reference URI=\"file:///etc/hostname\"></ds:Reference></ds:Manifest>"
    #expect(try problem { $0.moreInObject = manifest } == .unacceptedSignature("Object"))
  }

  /// An identifier of the signed properties elsewhere.
  @Test func `identifiers twice`() throws {
    let document = try rig.italy {
      $0.change = (
        "</SchemeInformation>",
        "<SchemeExtensions><Extension Critical=\"false\"><a xmlns=\"\" xml:id=\"properties\"></a>"
          + "</Extension></SchemeExtensions></SchemeInformation>"
      )
    }
    #expect(rig.problem(document) == .unacceptedSignature("Id"))
  }

  @Test func `another certificate in the properties`() throws {
    #expect(try problem { $0.named = rig.lists.belgian } == .signatureFalse)
    #expect(
      problem(
        text.exchanging("xades:SigningCertificateV2", for: "xades:SigningCertificateV3"))
        == .unacceptedSignature("SigningCertificate"))
  }
}
