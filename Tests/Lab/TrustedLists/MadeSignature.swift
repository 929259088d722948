import CIECard
import Primitives

/// The enveloped signature of an invented list, XAdES baseline B; each part can be made wrong. Elements declare the namespaces
/// that they use, as exclusive canonicalisation would.
struct MadeSignature {
  var method = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
  var digestMethod = "http://www.w3.org/2001/04/xmlenc#sha256"
  /// The address of the list in its reference.
  var address = ""
  /// The algorithms of the reference to the list; others than these two do not change what is signed here.
  var transforms = [
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
    "http://www.w3.org/2001/10/xml-exc-c14n#",
  ]
  /// The certificate that the properties name; nil for the signer's.
  var named: ListAuthority?
  /// More elements in SignedInfo and in Object.
  var moreReferences = ""
  var moreInObject = ""

  private static let ds = "xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\""

  func signed(_ list: MadeList, by signer: ListAuthority) throws -> [UInt8] {
    let (head, tail) = list.parts
    return Array((head + (try element(over: head + tail, by: signer)) + tail).utf8)
  }

  /// The signature of a text, which is the list without it.
  func element(over text: String, by signer: ListAuthority) throws -> String {
    let properties = try properties(signer)
    let all =
      "<ds:Transforms>"
      + transforms.map { "<ds:Transform Algorithm=\"\($0)\"></ds:Transform>" }.joined()
      + "</ds:Transforms>"
    let one =
      "<ds:Transforms><ds:Transform Algorithm=\"\(transforms.last ?? "")\"></ds:Transform></ds:Transforms>"
    let info = [
      "<ds:SignedInfo \(Self.ds)>",
      "<ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\">"
        + "</ds:CanonicalizationMethod>",
      "<ds:SignatureMethod Algorithm=\"\(method)\"></ds:SignatureMethod>",
      "<ds:Reference Id=\"whole\" URI=\"\(address)\">", all, try digest(of: text),
      "</ds:Reference>",
      "<ds:Reference Type=\"http://uri.etsi.org/01903#SignedProperties\" URI=\"#properties\">", one,
      try digest(of: properties), "</ds:Reference>", moreReferences, "</ds:SignedInfo>",
    ].joined()
    let value = String(decoding: Base64.encode(try signer.sign(info)), as: UTF8.self)
    return [
      "<ds:Signature \(Self.ds) Id=\"signature\">", info,
      "<ds:SignatureValue>\(value)</ds:SignatureValue>",
      "<ds:KeyInfo><ds:X509Data><ds:X509Certificate>\(signer.base64)</ds:X509Certificate>",
      "</ds:X509Data></ds:KeyInfo>",
      "<ds:Object><xades:QualifyingProperties \(Self.xades) Target=\"#signature\">", properties,
      "</xades:QualifyingProperties>\(moreInObject)</ds:Object></ds:Signature>",
    ].joined()
  }

  private static let xades = "xmlns:xades=\"http://uri.etsi.org/01903/v1.3.2#\""

  private func properties(_ signer: ListAuthority) throws -> String {
    let digest = try HashAlgorithm.sha256.hash((named ?? signer).certificate.der)
    return [
      "<xades:SignedProperties \(Self.xades) Id=\"properties\"><xades:SignedSignatureProperties>",
      "<xades:SigningTime>2023-11-14T00:00:00Z</xades:SigningTime>",
      "<xades:SigningCertificateV2><xades:Cert><xades:CertDigest>",
      "<ds:DigestMethod \(Self.ds) Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\">"
        + "</ds:DigestMethod>",
      "<ds:DigestValue \(Self.ds)>\(String(decoding: Base64.encode(digest), as: UTF8.self))"
        + "</ds:DigestValue>",
      "</xades:CertDigest></xades:Cert></xades:SigningCertificateV2>",
      "</xades:SignedSignatureProperties></xades:SignedProperties>",
    ].joined()
  }

  private func digest(of text: String) throws -> String {
    let value = Base64.encode(try HashAlgorithm.sha256.hash(Array(text.utf8)))
    return "<ds:DigestMethod Algorithm=\"\(digestMethod)\"></ds:DigestMethod>"
      + "<ds:DigestValue>\(String(decoding: value, as: UTF8.self))</ds:DigestValue>"
  }
}
