internal import CIECard
internal import CLibXML2
internal import Glibc
internal import Primitives

/// The enveloped signature of a trusted list, XAdES baseline B (ETSI TS 119 612 §5.7.1; EN 319 132-1).
///
/// Its form is checked here, before the library works: so no transform, address or key of the document's choice is used.
struct ListSignature {
  private let node: ListNode
  private let keyInfo: ListNode
  /// The algorithm of SignatureMethod.
  private let method: String
  let signer: Certificate

  /// - Parameter signers: SHA-256 of the certificates that may sign.
  /// - Throws: `unsigned`, `unacceptedSignature`, `otherSigner`.
  init(of document: ListDocument, by signers: Set<[UInt8]>) throws(TrustedListProblem) {
    let root = document.root
    guard Self.count(in: root) == 1,
      let node = root.first("Signature", in: ListNamespace.signature)
    else { throw .unsigned }
    self.node = node
    // Others would be worked on by the library: a Manifest in Object with its transforms, for example.
    try Self.require(node, ["SignedInfo", "SignatureValue", "KeyInfo", "Object"])
    let info = try node.only("SignedInfo", in: ListNamespace.signature)
    try Self.require(
      info, ["CanonicalizationMethod", "SignatureMethod", "Reference", "Reference"])
    keyInfo = try node.only("KeyInfo", in: ListNamespace.signature)
    method = try Self.algorithm("SignatureMethod", in: info, Self.methods)
    _ = try Self.algorithm("CanonicalizationMethod", in: info, Self.canonical)
    let certificate = try Self.certificate(in: keyInfo, of: signers)
    signer = certificate
    let properties = try Self.properties(in: node)
    guard try Self.names(certificate, properties) else { throw .signatureFalse }
    try Self.check(
      info.all("Reference", in: ListNamespace.signature), root: root, properties: properties)
  }

  /// Number of signatures in an element, at any depth.
  private static func count(in node: ListNode) -> Int {
    node.children.reduce(
      node.name == "Signature" && node.namespace == ListNamespace.signature ? 1 : 0
    ) { $0 + count(in: $1) }
  }

  private static func require(
    _ node: ListNode, _ children: [String]
  ) throws(TrustedListProblem) {
    guard node.children.map(\.name) == children else { throw .unacceptedSignature(node.name) }
  }

  private static func algorithm(
    _ name: String, in node: ListNode, _ accepted: Set<String>
  ) throws(TrustedListProblem) -> String {
    let child = try node.only(name, in: ListNamespace.signature)
    let algorithm = child.attributes["Algorithm"] ?? ""
    guard accepted.contains(algorithm),
      child.children.allSatisfy({ $0.name == "InclusiveNamespaces" })
    else { throw .unacceptedSignature(algorithm) }
    return algorithm
  }

  /// The certificate in KeyInfo that may sign; it is the key of the verification, nothing else in KeyInfo is used.
  private static func certificate(
    in keyInfo: ListNode, of signers: Set<[UInt8]>
  ) throws(TrustedListProblem) -> Certificate {
    let certificates = keyInfo.all("X509Data", in: ListNamespace.signature)
      .flatMap { $0.all("X509Certificate", in: ListNamespace.signature) }
      .compactMap { ListValue.bytes($0.text) }
      .compactMap { try? Certificate(der: $0) }
    let signer = certificates.first { certificate in
      (try? HashAlgorithm.sha256.hash(certificate.der)).map { signers.contains($0) } ?? false
    }
    guard let signer else { throw .otherSigner(certificates.first?.subject) }
    return signer
  }
}

/// References and properties.
extension ListSignature {
  private static func properties(in node: ListNode) throws(TrustedListProblem) -> ListNode {
    let object = try node.only("Object", in: ListNamespace.signature)
    try require(object, ["QualifyingProperties"])
    return try object.only("QualifyingProperties", in: ListNamespace.properties)
      .only("SignedProperties", in: ListNamespace.properties)
  }

  /// Exactly two references: the whole document without the signature, and the properties.
  private static func check(
    _ references: [ListNode], root: ListNode, properties: ListNode
  ) throws(TrustedListProblem) {
    let propertiesId = try declare(properties)
    let rootId = root.attributes["Id"]
    var wholes = 0
    for reference in references {
      let address = reference.attributes["URI"]
      let isProperties = address == "#" + propertiesId
      let isWhole = address == "" || rootId.map { address == "#" + $0 } ?? false
      guard isProperties != isWhole else { throw .unacceptedSignature(address ?? "URI") }
      if isWhole, address != "" { _ = try declare(root) }
      try checkTransforms(of: reference, isEnveloped: isWhole)
      _ = try algorithm("DigestMethod", in: reference, digests)
      wholes += isWhole ? 1 : 0
    }
    guard wholes == 1 else { throw .unacceptedSignature("Reference") }
  }

  private static func checkTransforms(
    of reference: ListNode, isEnveloped: Bool
  ) throws(TrustedListProblem) {
    var transforms = reference.first("Transforms", in: ListNamespace.signature)?.children ?? []
    if isEnveloped {
      guard transforms.first.map({ $0.attributes["Algorithm"] == enveloped }) ?? false else {
        throw .unacceptedSignature("Transforms")
      }
      transforms.removeFirst()
    }
    for transform in transforms {
      let algorithm = transform.attributes["Algorithm"] ?? ""
      guard transforms.count == 1, canonical.contains(algorithm),
        transform.children.allSatisfy({ $0.name == "InclusiveNamespaces" })
      else { throw .unacceptedSignature(algorithm) }
    }
  }

  /// Declares the attribute Id of an element to be an identifier: the first of its value that is declared counts.
  ///
  /// - Returns: its value.
  private static func declare(_ node: ListNode) throws(TrustedListProblem) -> String {
    var attribute = node.pointer.pointee.properties
    while let current = attribute,
      current.pointee.ns != nil || String(cString: current.pointee.name) != "Id"
    {
      attribute = current.pointee.next
    }
    let value = node.attributes["Id"] ?? ""
    // The library puts the name into an XPointer.
    let isName =
      !value.isEmpty
      && value.utf8.allSatisfy { isalnum(CInt($0)) != 0 || "-._".utf8.contains($0) }
    guard isName, xmlAddID(nil, node.document.pointer, value, attribute) != nil else {
      throw .unacceptedSignature("Id")
    }
    return value
  }

  /// True if SigningCertificate or SigningCertificateV2 names a certificate first (EN 319 132-1 §5.2.2).
  ///
  /// SHA-1 does here, because the certificate as a whole is one of those that may sign; Italy's list of 2023 has it.
  private static func names(
    _ certificate: Certificate, _ properties: ListNode
  ) throws(TrustedListProblem) -> Bool {
    let signed = try properties.only("SignedSignatureProperties", in: ListNamespace.properties)
    let named = ["SigningCertificate", "SigningCertificateV2"]
      .compactMap { signed.first($0, in: ListNamespace.properties) }
    guard !named.isEmpty else { throw .unacceptedSignature("SigningCertificate") }
    for list in named {
      let digest = list.first("Cert", in: ListNamespace.properties)?
        .first("CertDigest", in: ListNamespace.properties)
      let address =
        digest?.first("DigestMethod", in: ListNamespace.signature)?.attributes["Algorithm"] ?? ""
      let hash: HashAlgorithm
      switch address {
      case sha1: hash = .sha1
      case sha256: hash = .sha256
      case sha384: hash = .sha384
      case sha512: hash = .sha512
      default: throw .unacceptedSignature(address)
      }
      let value = digest?.first("DigestValue", in: ListNamespace.signature)
        .flatMap { ListValue.bytes($0.text) }
      guard let value, (try? hash.hash(certificate.der)) == value else { return false }
    }
    return true
  }

  private static let enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
  private static let sha1 = "http://www.w3.org/2000/09/xmldsig#sha1"
  private static let sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
  private static let sha384 = "http://www.w3.org/2001/04/xmldsig-more#sha384"
  private static let sha512 = "http://www.w3.org/2001/04/xmlenc#sha512"
  private static let digests: Set<String> = [sha256, sha384, sha512]
  /// Without comments, because values here are read without them: inclusive 1.0, 1.1, exclusive.
  private static let canonical: Set<String> = [
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315", "http://www.w3.org/2006/12/xml-c14n11",
    "http://www.w3.org/2001/10/xml-exc-c14n#",
  ]
  private static let methods = Set(
    ["sha256", "sha384", "sha512"].flatMap { hash in
      ["rsa", "ecdsa"].map { "http://www.w3.org/2001/04/xmldsig-more#\($0)-\(hash)" }
        + ["http://www.w3.org/2007/05/xmldsig-more#\(hash)-rsa-MGF1"]
    })
}

extension ListSignature {
  /// Verifies digests and signature with the signer's key. The contents of KeyInfo give way to the name of that key.
  ///
  /// - Throws: `signatureFalse`; `unacceptedSignature` for RSASSA-PSS, which libxmlsec1 before 1.3 lacks.
  func verify() throws(TrustedListProblem) {
    while let child = keyInfo.pointer.pointee.children {
      xmlUnlinkNode(child)
      xmlFreeNode(child)
    }
    guard xmlNewChild(keyInfo.pointer, nil, "KeyName", SignatureLibrary.keyName) != nil else {
      throw .signatureFalse
    }
    switch SignatureLibrary.verify(node.pointer, by: signer.der) {
    case true?: return
    case nil where method.hasSuffix("MGF1"): throw .unacceptedSignature(method)
    case false?, nil: throw .signatureFalse
    }
  }
}
