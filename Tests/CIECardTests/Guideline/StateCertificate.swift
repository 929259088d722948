import CIECard
import Primitives

/// The certificate of a document signer, each part of which a case may change, and that of its CSCA.
struct StateCertificate {
  /// Content of the INTEGER; `nil` for version 1, which is not written.
  var version: UInt8? = 2
  var keyUsage = KeyUsage.critical
  var issuerKey = IssuerKey.named
  /// The year in which it begins.
  var begin = 2024
  /// True for GeneralizedTime instead of UTCTime.
  var hasLongYears = false

  enum KeyUsage { case critical, plain, absent }
  enum IssuerKey { case named, unnamed, absent }

  static let signer = "Signer"
  static let authority = "CSCA"
  static let serialNumber = Form.integer(7)

  func encoded(_ scheme: StateScheme) throws -> [UInt8] {
    let usage = Self.keyUsage([7, 0x80], isCritical: keyUsage == .critical)
    let authorityKey = [TLV.encode(0x80, try Self.identifier(scheme, Self.authority))]
    let extensions =
      (keyUsage == .absent ? [] : [usage])
      + [try Self.subjectKey(scheme, Self.signer)]
      + (issuerKey == .absent
        ? []
        : [Self.extension(35, Form.sequence(issuerKey == .named ? authorityKey : []))])
    return try Self.certificate(
      Self.signer, scheme, version, [time("\(begin)0101000000Z"), time("20451231000000Z")],
      extensions)
  }

  private func time(_ text: String) -> [UInt8] {
    hasLongYears
      ? TLV.encode(DER.generalizedTime, [UInt8](text.utf8)) : Self.shortTime(text)
  }

  static func csca(_ scheme: StateScheme) throws -> [UInt8] {
    try certificate(
      authority, scheme, 2, [shortTime("20150101000000Z"), shortTime("20491231000000Z")],
      [
        `extension`(19, Form.sequence([[0x01, 1, 0xFF]]), isCritical: true),
        keyUsage([1, 0x06], isCritical: true), subjectKey(scheme, authority),
      ])
  }

  private static func shortTime(_ text: String) -> [UInt8] {
    TLV.encode(0x17, [UInt8](text.dropFirst(2).utf8))
  }

  /// TBSCertificate and its signature (RFC 5280 §4.1).
  private static func certificate(
    _ subject: String, _ scheme: StateScheme, _ version: UInt8?, _ times: [[UInt8]],
    _ extensions: [[UInt8]]
  ) throws -> [UInt8] {
    let algorithm = scheme.identifier(inCertificate: true)
    let number = version.map { TLV.encode(0xA0, Form.integer($0)) } ?? []
    let signed = Form.sequence([
      number, subject == authority ? Form.integer(1) : serialNumber, algorithm,
      Form.name(authority), Form.sequence(times),
      Form.name(subject), try scheme.publicKey(of: subject),
      TLV.encode(0xA3, Form.sequence(extensions)),
    ])
    let signature = try scheme.sign(signed, by: authority)
    return Form.sequence([signed, algorithm, TLV.encode(DER.bitString, [0] + signature)])
  }

  /// An extension of arc 2.5.29 (RFC 5280 §4.2.1).
  private static func `extension`(
    _ arc: UInt8, _ value: [UInt8], isCritical: Bool = false
  ) -> [UInt8] {
    Form.sequence([
      Form.object([0x55, 0x1D, arc]), isCritical ? [DER.boolean.asByte, 1, 0xFF] : [],
      TLV.encode(DER.octetString, value),
    ])
  }

  private static func keyUsage(_ bits: [UInt8], isCritical: Bool) -> [UInt8] {
    `extension`(15, TLV.encode(DER.bitString, bits), isCritical: isCritical)
  }

  private static func subjectKey(_ scheme: StateScheme, _ owner: String) throws -> [UInt8] {
    `extension`(14, TLV.encode(DER.octetString, try identifier(scheme, owner)))
  }

  static func identifier(_ scheme: StateScheme, _ owner: String) throws -> [UInt8] {
    try HashAlgorithm.sha1.hash(scheme.publicKey(of: owner))
  }
}

extension UInt32 {
  fileprivate var asByte: UInt8 { UInt8(truncatingIfNeeded: self) }
}
