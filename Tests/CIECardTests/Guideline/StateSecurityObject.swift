import CIECard
import Primitives

/// EF.SOD over data groups (Doc 9303-10 §4.6.2), each part of which a case may change.
struct StateSecurityObject {
  var scheme = StateScheme.rsa(.sha256)
  var certificate = StateCertificate()
  /// Of the list of hashes.
  var listVersion: UInt8 = 0
  var structureVersion: String?
  /// Of SignedData and SignerInfo.
  var version: UInt8 = 3
  var signerVersion: UInt8 = 1
  /// Hash functions in SignedData besides that of the signer.
  var otherDigests: [[UInt8]] = []
  var identifier = Identifier.issuer
  /// The number of copies of the signer's certificate.
  var certificates = 1
  var hasWrongSignature = false

  /// The name of the signer's certificate.
  enum Identifier { case issuer, otherSerialNumber, subjectKey, otherSubjectKey }

  /// id-icao-mrtd-security-ldsSecurityObject.
  private static let type = Form.object([0x67, 0x81, 0x08, 0x01, 0x01, 0x01])
  /// id-SecurityObject (BSI TR-03110-3 §A.1.2.2).
  private static let infosType = Form.object([4, 0, 0x7F, 0, 7, 3, 2, 1])
  private static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]

  /// The file over the listed groups.
  func encoded(over groups: [UInt8: [UInt8]]) throws -> [UInt8] {
    TLV.encode(0x77, try signed(list(of: groups), Self.type))
  }

  /// EF.CardSecurity with these SecurityInfos, by the same signer.
  func cardSecurity(_ infos: [[UInt8]]) throws -> [UInt8] {
    try signed(TLV.encode(DER.set, infos), Self.infosType)
  }

  private func certificateSet() throws -> [UInt8] {
    let one = try certificate.encoded(scheme)
    return certificates == 0
      ? [] : TLV.encode(0xA0, Array(repeating: one, count: certificates).flatMap { $0 })
  }

  private func signed(_ content: [UInt8], _ type: [UInt8]) throws -> [UInt8] {
    let attributes = TLV.ordered([
      attribute(3, type),
      attribute(4, TLV.encode(DER.octetString, try scheme.hash.hash(content))),
    ])
    var signature = try scheme.sign(
      TLV.encode(DER.set, attributes), by: StateCertificate.signer)
    if hasWrongSignature, let last = signature.popLast() { signature.append(last ^ 1) }
    let digest = Form.algorithm(scheme.hash)
    let signer = Form.sequence([
      Form.integer(signerVersion), try signerIdentifier(), digest, TLV.encode(0xA0, attributes),
      scheme.identifier(), TLV.encode(DER.octetString, signature),
    ])
    let data = Form.sequence([
      Form.integer(version), TLV.encode(DER.set, TLV.ordered([digest] + otherDigests)),
      Form.sequence([type, TLV.encode(0xA0, TLV.encode(DER.octetString, content))]),
      try certificateSet(),
      TLV.encode(DER.set, signer),
    ])
    return Form.sequence([Form.object(Self.pkcs + [7, 2]), TLV.encode(0xA0, data)])
  }

  private func list(of groups: [UInt8: [UInt8]]) throws -> [UInt8] {
    let entries = try groups.sorted { $0.key < $1.key }.map { number, file in
      Form.sequence([
        Form.integer(number), TLV.encode(DER.octetString, try scheme.hash.hash(file)),
      ])
    }
    let versions = [structureVersion, "040000"].compactMap { $0 }
      .map { TLV.encode(DER.printableString, [UInt8]($0.utf8)) }
    return Form.sequence([
      Form.integer(listVersion), Form.algorithm(scheme.hash), Form.sequence(entries),
      structureVersion == nil ? [] : Form.sequence(versions),
    ])
  }

  private func attribute(_ arc: UInt8, _ value: [UInt8]) -> [UInt8] {
    Form.sequence([Form.object(Self.pkcs + [9, arc]), TLV.encode(DER.set, value)])
  }

  private func signerIdentifier() throws -> [UInt8] {
    switch identifier {
    case .issuer, .otherSerialNumber:
      Form.sequence([
        Form.name(StateCertificate.authority),
        identifier == .issuer ? StateCertificate.serialNumber : Form.integer(8),
      ])
    case .subjectKey:
      TLV.encode(0x80, try StateCertificate.identifier(scheme, StateCertificate.signer))
    case .otherSubjectKey:
      TLV.encode(0x80, try StateCertificate.identifier(scheme, StateCertificate.authority))
    }
  }
}
