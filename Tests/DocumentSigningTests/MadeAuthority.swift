import CIECard
import Primitives
import TestSupport

@testable import DocumentSigning

/// A key with a certificate of any times, which issues others and says anything about them; encoded here, signed by
/// OpenSSL.
struct MadeAuthority: Sendable {
  let certificate: Certificate
  /// The private key, as PEM.
  let key: [UInt8]

  /// Extensions, each as OID, critical or not, and contents.
  typealias Extension = (name: String, isCritical: Bool, contents: [UInt8])

  /// - Parameters:
  ///   - name: the common name.
  ///   - owner: that of the key; nil for the name.
  ///   - issuer: nil for a certificate that signs itself.
  init(
    _ name: String, keyOf owner: String? = nil, _ extensions: [Extension], from start: UTCTime = 0,
    to end: UTCTime = 4_000_000_000, by issuer: MadeAuthority? = nil
  ) throws {
    key = try OpenSSL.key(of: owner ?? name)
    let own = Self.name(name)
    let issuerName = issuer?.certificate.encodedFields?.subject ?? own
    let publicKey = try OpenSSL.run(
      ["pkey", "-in", "/dev/fd/3", "-pubout", "-outform", "DER"], descriptors: [3: key])
    let body = Self.sequence([
      TLV.encode(0xA0, TLV.encode(DER.integer, [2])), TLV.encode(DER.integer, [0x41]),
      Self.algorithm, issuerName, Self.sequence([Self.time(start), Self.time(end)]), own,
      publicKey, TLV.encode(0xA3, Self.encoded(extensions)),
    ])
    certificate = try Certificate(der: Self.signed(body, by: issuer?.key ?? key))
  }

  /// The word of an answer about a certificate.
  struct Word {
    var revokedAt: UTCTime?
    /// Times of the answer; it is produced at the first of them.
    var times: (this: UTCTime, next: UTCTime?)
    /// Since when ended certificates stay in it: archiveCutoff or expiredCertsOnCRL.
    var keepsExpired: UTCTime?
    /// True for a CRL with a distribution point.
    var hasPoint = false

    init(
      _ this: UTCTime, to next: UTCTime? = 4_000_000_000, revokedAt: UTCTime? = nil,
      keepsExpired: UTCTime? = nil, hasPoint: Bool = false
    ) {
      (times, self.revokedAt) = ((this, next), revokedAt)
      (self.keepsExpired, self.hasPoint) = (keepsExpired, hasPoint)
    }
  }

  /// An OCSP response (RFC 6960 §4.2.1) of this responder.
  func response(
    about one: Certificate, of issuer: Certificate, _ word: Word
  ) throws -> [UInt8] {
    let fields = try one.encodedFields.unwrapped()
    let identifier = Self.sequence([
      Self.sequence([QC.encoded("1.3.14.3.2.26"), [5, 0]]),
      TLV.encode(DER.octetString, try HashAlgorithm.sha1.hash(fields.issuer)),
      TLV.encode(DER.octetString, try issuer.keyDigest.unwrapped()), fields.serialNumber,
    ])
    let status = word.revokedAt.map { TLV.encode(0xA1, Self.time($0)) } ?? [0x80, 0]
    let cutoff = word.keepsExpired.map {
      TLV.encode(0xA1, Self.encoded([("1.3.6.1.5.5.7.48.1.6", false, Self.time($0))]))
    }
    let single = Self.sequence(
      [identifier, status, Self.time(word.times.this)]
        + [word.times.next.map { TLV.encode(0xA0, Self.time($0)) }, cutoff].compactMap { $0 })
    let name = try certificate.encodedFields.unwrapped().subject
    let data = Self.sequence([
      TLV.encode(0xA1, name), Self.time(word.times.this), Self.sequence([single]),
    ])
    let basic = TLV.encode(DER.octetString, try Self.signed(data, by: key))
    let bytes = Self.sequence([QC.encoded("1.3.6.1.5.5.7.48.1.1"), basic])
    return Self.sequence([[0x0A, 1, 0], TLV.encode(0xA0, bytes)])
  }

  /// A CRL (RFC 5280 §5.1) of this issuer.
  func list(about one: Certificate, _ word: Word) throws -> [UInt8] {
    let entries = try word.revokedAt.map { time in
      Self.sequence([
        Self.sequence([try one.encodedFields.unwrapped().serialNumber, Self.time(time)])
      ])
    }
    let point: Extension? =
      word.hasPoint
      ? ("2.5.29.28", true, Self.sequence([[0xA0, 5, 0xA0, 3, 0x86, 1, 0x61]])) : nil
    let kept: Extension? = word.keepsExpired.map { ("2.5.29.60", false, Self.time($0)) }
    let extensions = [point, kept].compactMap { $0 }
    let parts: [[UInt8]?] = [
      TLV.encode(DER.integer, [1]), Self.algorithm,
      try certificate.encodedFields.unwrapped().subject, Self.time(word.times.this),
      word.times.next.map(Self.time), entries,
      extensions.isEmpty ? nil : TLV.encode(0xA0, Self.encoded(extensions)),
    ]
    return try Self.signed(Self.sequence(parts.compactMap { $0 }), by: key)
  }

  private static func signed(_ body: [UInt8], by key: [UInt8]) throws -> [UInt8] {
    let signature = try OpenSSL.run(
      ["dgst", "-sha256", "-sign", "/dev/fd/3"], input: body, descriptors: [3: key])
    return sequence([body, algorithm, TLV.encode(DER.bitString, [0] + signature)])
  }

  /// sha256WithRSAEncryption.
  private static let algorithm = sequence([QC.encoded("1.2.840.113549.1.1.11"), [5, 0]])

  fileprivate static func sequence(_ parts: [[UInt8]]) -> [UInt8] {
    TLV.encode(DER.sequence, parts)
  }

  private static func encoded(_ extensions: [Extension]) -> [UInt8] {
    sequence(
      extensions.map { name, isCritical, contents in
        sequence(
          [QC.encoded(name)] + (isCritical ? [[1, 1, 0xFF]] : [])
            + [TLV.encode(DER.octetString, contents)])
      })
  }

  /// A name of the country and a common name.
  private static func name(_ common: String) -> [UInt8] {
    sequence(
      [("2.5.4.6", DER.printableString, "IT"), ("2.5.4.3", 0x0C, common)].map { type, tag, text in
        TLV.encode(
          DER.set, sequence([QC.encoded(type), TLV.encode(tag, [UInt8](text.utf8))]))
      })
  }

  private static func time(_ time: UTCTime) -> [UInt8] {
    TLV.encode(
      DER.generalizedTime,
      [UInt8]("\(time)".filter { $0.isNumber || $0 == "Z" }.utf8))
  }
}

extension MadeAuthority {
  /// Critical keyUsage with these bits (RFC 5280 §4.2.1.3).
  static func usage(_ bits: Int...) -> Extension {
    ("2.5.29.15", true, [3, 2, 0, bits.reduce(0) { $0 | 0x80 >> UInt8($1) }])
  }

  static func purpose(_ name: String) -> Extension {
    ("2.5.29.37", true, sequence([QC.encoded(name)]))
  }

  static let authority: Extension = ("2.5.29.19", true, [0x30, 3, 1, 1, 0xFF])
}
