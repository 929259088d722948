import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// EF.SOD and EF.CardSecurity as verified by OpenSSL's command.
@Suite struct DocumentSecurityObjectTests {
  private let openssl = BuiltBinary(path: "/usr/bin/openssl")

  @Test(arguments: Persona.all.map(\.identifier))
  func coversEveryGroup(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    try expect(persona.travelDocument.securityObject, covers: persona.travelDocument, of: persona)
  }

  @Test func coversTheLongPortrait() throws {
    let document = TravelDocumentData.withLongPortrait
    try expect(document.securityObject, covers: document, of: .unknown)
  }

  @Test func anotherPersonsObjectDoesNotFit() throws {
    #expect(throws: WrongMessage.self) {
      _ = try verified(Persona.gemalto2.travelDocument.securityObject, of: .gemalto)
    }
  }

  @Test func cardSecurityIsSigned() throws {
    let persona = Persona.unknown
    let document = persona.travelDocument
    let content = try content(of: document.cardSecurity, chain: nil)
    let infos = try #require(BERObject.single(0x31, content).flatMap { BERObject.list($0.value) })
    let access = try #require(
      BERObject.single(0x31, document.cardAccess).flatMap { BERObject.list($0.value) })
    #expect(infos.starts(with: access) && infos.count == access.count + 2)
  }

  /// OpenSSL builds no chain through explicit parameters; the signer's certificate is verified separately.
  @Test func signersWithExplicitParameters() throws {
    let directory = try TemporaryDirectory()
    let csca = try directory.write("csca", Persona.unknown.documentCSCA)
    let key = try openssl.run(["x509", "-inform", "DER", "-in", csca, "-noout", "-pubkey"])
    let pem = try directory.write("key", key.standardOutput)
    let document = Persona.unknown.travelDocument
    let message = try #require(BERObject.single(0x77, document.securityObject)).value
    for (name, bytes) in [("sod", message), ("card", document.cardSecurity)] {
      let certificate = try signer(in: bytes)
      // RFC 3279 §2.3.5: prime-field begins the field of written-out parameters.
      let field = try Hex.bytes("06072A8648CE3D0101")
      #expect(certificate.encoded.contains(field), "\(name)")
      let parts = try #require(BERObject.list(certificate.value))
      let content = try directory.write("content", parts[0].encoded)
      let signature = try directory.write("signature", parts[2].value.dropFirst())
      let judged = try openssl.run(
        ["dgst", "-sha384", "-verify", pem, "-signature", signature, content])
      #expect(judged.output == "Verified OK\n", "\(name)")
    }
  }

  /// The only certificate in a SignedData.
  private func signer(in message: [UInt8]) throws -> BERObject {
    let outer = try #require(BERObject.single(0x30, message).flatMap { BERObject.list($0.value) })
    let explicit = try #require(outer.last)
    let signedData = try #require(BERObject.single(0x30, explicit.value))
    let members = try #require(BERObject.list(signedData.value))
    return try #require(
      members.first { $0.tag == 0xA0 }.flatMap { BERObject.single(0x30, $0.value) })
  }

  private func expect(
    _ object: [UInt8], covers document: TravelDocumentData, of persona: Persona
  ) throws {
    let content = try verified(object, of: persona)
    let members = try #require(BERObject.single(0x30, content).flatMap { BERObject.list($0.value) })
    let isNew = persona.family == .itj4
    #expect(members.count == (isNew ? 4 : 3) && members[0].value == [isNew ? 1 : 0])
    let algorithm = isNew ? HashAlgorithm.sha512 : .sha256
    let entries = try #require(BERObject.list(members[2].value))
    let numbers = document.dataGroups.keys.sorted()
    #expect(entries.count == numbers.count)
    for (entry, number) in zip(entries, numbers) {
      let hash = try algorithm.hash(try #require(document.dataGroups[number]))
      #expect(
        entry.value == BERObject.integer([number]) + BERObject.encode(0x04, hash), "DG\(number)")
    }
  }

  private func verified(_ object: [UInt8], of persona: Persona) throws -> [UInt8] {
    let message = try #require(BERObject.single(0x77, object)).value
    return try content(of: message, chain: persona.family == .unknown ? nil : persona.documentCSCA)
  }

  private struct WrongMessage: Error {
    let errors: String
  }

  /// The signed content of a CMS message, when the signature and the chain to this CSCA are right.
  private func content(of message: [UInt8], chain csca: [UInt8]?) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    var arguments = [
      "cms", "-verify", "-binary", "-inform", "DER", "-in", try directory.write("message", message),
    ]
    if let csca {
      let certificate = try openssl.run(["x509", "-inform", "DER"], input: csca)
      let pem = try directory.write("csca", certificate.standardOutput)
      arguments += ["-CAfile", pem, "-purpose", "any"]
    } else {
      arguments.append("-noverify")
    }
    let result = try openssl.run(arguments)
    guard result.exitStatus == 0 else { throw WrongMessage(errors: result.errors) }
    return result.standardOutput
  }
}
