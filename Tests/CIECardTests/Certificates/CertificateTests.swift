@testable import CIECard
import TestSupport
import Testing

/// Parsing and printing of certificates, good and hostile.
@Suite struct CertificateTests {
  let documents: IASDocuments
  let holder: [UInt8]

  init() throws {
    documents = try IASDocuments.load()
    holder = try #require(documents.files["A3"]).bytes
  }

  @Test func readsTheFields() throws {
    let certificate = try Certificate(der: holder)
    #expect(certificate.der == holder)
    #expect(certificate.subject.commonName == "TSTFNT90A01Z999X/000000000123")
    #expect(
      certificate.subject.attributes.map { $0.name } == ["C", "serialNumber", "SN", "GN", "CN"])
    #expect(
      certificate.subject.attributes.map { $0.oid }
        == ["2.5.4.6", "2.5.4.5", "2.5.4.4", "2.5.4.42", "2.5.4.3"])
    #expect(certificate.subject.givenName == "TESTO" && certificate.subject.organization == nil)
    #expect(certificate.issuer.commonName == "CSCA")
    #expect(certificate.issuer.country == "IT")
    #expect(certificate.issuer.organization == "Test only")
    #expect(certificate.notBefore == 1_577_836_800)
    // GeneralizedTime: UTCTime ends with 2049.
    #expect(certificate.notAfter == 3_347_740_799)
    #expect(certificate.serial.hasPrefix("10") && certificate.serial.count == 4)
    guard case .rsa(let key) = certificate.publicKey else {
      Issue.record("no RSA key")
      return
    }
    #expect(key.modulus.count == 256 && key.exponent == [1, 0, 1])
  }

  @Test func ellipticCurveKeysAreAnotherKind() throws {
    let vector = try #require(
      try Vectors.cases("sod", of: SODVectorTests.Case.self)
        .first { $0.name == "ecdsa-p256-named" })
    let certificate = try Certificate(der: try #require(vector.csca).bytes)
    #expect(certificate.publicKey == .other(algorithm: "id-ecPublicKey"))
    let digest = [UInt8](repeating: 0, count: 32)
    #expect(!certificate.verify(signature: digest, digest: digest, algorithm: .sha256))
  }

  @Test func paddingIsCutAndNotTakenForTheWhole() throws {
    let file = holder + [UInt8](repeating: 0, count: 300)
    #expect(try Certificate(cutting: file).der == holder)
    #expect(throws: Certificate.Malformation.trailingBytes(count: 300)) {
      try Certificate(der: file)
    }
  }

  @Test func pemGoesBothWays() throws {
    let certificate = try Certificate(der: holder)
    let lines = certificate.pem.split(separator: "\n")
    #expect(lines.first == "-----BEGIN CERTIFICATE-----")
    #expect(lines.last == "-----END CERTIFICATE-----")
    #expect(certificate.pem.hasSuffix("\n") && lines.allSatisfy { $0.utf8.count <= 64 })
    #expect(try X509PEM.certificates(in: [UInt8](certificate.pem.utf8)) == [holder])
  }

  @Test func textNamesTheFieldsAndDrivesNoTerminal() throws {
    let text = try Certificate(der: holder).text
    for part in ["Issuer:", "CN = CSCA", "Not After : Jan 31 23:59:59 2076", "Public-Key: (2048"] {
      #expect(text.contains(part), "\(part)")
    }
    // ESC "[2J" in a name and in an extension: the certificate parses, the terminal is not cleared.
    let clearing: [UInt8] = [0x1B, 0x5B, 0x32, 0x4A]
    for place in ["CSCA", "Test notice"] {
      let part = [UInt8](place.utf8)
      #expect(text.contains(place))
      let hostile = try Certificate(der: replacing(part, by: clearing + part.dropFirst(4)))
      let shown = try hostile.text
      #expect(shown != text && !shown.contains("\u{1B}"), "\(place)")
    }
  }

  @Test func namesThatAreNoTextAreNoTrap() throws {
    let utf8 = try Hex.bytes("0C04") + [UInt8]("CSCA".utf8)
    let bits = try Certificate(der: replacing(utf8, by: Hex.bytes("030400534341")))
    #expect(bits.issuer.commonName == "#534341")
    let zeros = try Certificate(der: replacing(utf8, by: Hex.bytes("0C0441004200")))
    #expect(zeros.issuer.commonName == "A\0B\0")
    #expect(throws: Certificate.Malformation.malformed(reason: "nested asn1 error")) {
      try Certificate(der: replacing(utf8, by: Hex.bytes("0C04FFFEC080")))
    }
  }

  private func replacing(_ part: [UInt8], by bytes: [UInt8]) throws -> [UInt8] {
    var changed = holder
    let start = try #require(holder.indices.first { holder[$0...].starts(with: part) })
    changed.replaceSubrange(start..<start + bytes.count, with: bytes)
    return changed
  }

  @Test func everyPrefixIsRefused() {
    for length in 0..<holder.count {
      #expect(throws: Certificate.Malformation.self) {
        try Certificate(cutting: [UInt8](holder.prefix(length)))
      }
    }
  }

  @Test(arguments: [UInt8(0x01), 0x20, 0x80, 0xFF])
  func everyChangedByteIsAnErrorOrAnotherCertificate(mask: UInt8) throws {
    let good = try Certificate(der: holder)
    for index in holder.indices {
      var changed = holder
      changed[index] ^= mask
      do throws(Certificate.Malformation) {
        let certificate = try Certificate(cutting: changed)
        #expect(certificate != good)
        #expect(certificate.der == [UInt8](changed.prefix(certificate.der.count)))
        #expect(!certificate.pem.isEmpty)
        _ = try? certificate.text
      } catch {
        #expect(error != .malformed(reason: "none"))
      }
    }
  }

  @Test func hostileLengthsAreRefused() {
    let files: [[UInt8]] = [
      [], [0x00], [0x30], [0x30, 0x00], [0x30, 0x80], [0x30, 0x80, 0x00, 0x00],
      [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8),
      [0x30, 0x82, 0x10, 0x00] + [UInt8](repeating: 0, count: 64),
      [UInt8](repeating: 0, count: 2048), [UInt8](repeating: 0x30, count: 2048),
    ]
    for file in files {
      #expect(throws: Certificate.Malformation.self) { try Certificate(cutting: file) }
    }
  }

  @Test func longerFormOfALengthIsNotDER() throws {
    // The outer length with one byte more than necessary: BER, and not the signed and hashed form.
    let body = [UInt8](holder.dropFirst(4))
    let longer: [UInt8] = [0x30, 0x83, 0x00] + holder[2..<4] + body
    #expect(throws: Certificate.Malformation.malformed(reason: "not DER")) {
      try Certificate(der: longer)
    }
  }
}
