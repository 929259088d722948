import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The private keys of the travel documents fit the public halves in DG14, DG15 and EF.CardSecurity.
@Suite struct DocumentKeyTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func chipAuthentication(_ identifier: String) throws {
    let document = try #require(Persona.named(identifier)).travelDocument
    let infos = try document.dataGroups[14].map { try securityInfos(in: $0) } ?? []
    let keys = try infos.filter { try $0.starts(with: Hex.bytes("060904007F000702020102")) }
      .count
    let finite = try infos.filter { try $0.starts(with: Hex.bytes("060904007F000702020101")) }
      .count
    #expect(keys + finite == document.chipAuthenticationKeys.count)
    #expect(document.chipAuthenticationKeys.isEmpty == (identifier == "nxp"))
    for key in document.chipAuthenticationKeys {
      let info = try info(of: key, in: infos)
      let reference = key.identifier.map { BERObject.integer([$0]) } ?? []
      #expect(info.suffix(reference.count) == reference[...])
    }
  }

  @Test func mappingKeyIsInCardSecurity() throws {
    let document = Persona.unknown.travelDocument
    let key = try #require(document.chipAuthenticationKeys.first)
    let point = try publicKey(key)
    #expect(document.cardSecurity.contains(point))
    // BSI TR-03110-3 §A.2.1.1: standardised domain parameters by their number.
    let algorithm = try Hex.bytes("300C060704007F0007010202010C")
    #expect(document.cardSecurity.contains(algorithm))
  }

  @Test func activeAuthenticationWithRSA() throws {
    let document = Persona.gemalto2.travelDocument
    guard case .rsa(let key, let trailer) = document.activeAuthenticationKey
    else {
      Issue.record("no RSA key")
      return
    }
    #expect(trailer == [0x34, 0xCC] && key.modulus.count == 256)
    #expect(document.dataGroups[15]?.contains(BERObject.integer(key.modulus)) == true)
    let message = [UInt8](repeating: 0x5A, count: 256)
    let signed = try key.apply(message)
    #expect(try ModularArithmetic.power(signed, [1, 0, 1], modulus: key.modulus) == message)
  }

  @Test func activeAuthenticationWithECDSA() throws {
    let document = Persona.st.travelDocument
    guard
      case .ecdsa(let parameters, let scalar, let hash) = document.activeAuthenticationKey
    else {
      Issue.record("no ECDSA key")
      return
    }
    #expect(hash == "sha256")
    let key = TravelDocumentData.ChipAuthenticationKey(
      identifier: nil, parameterIdentifier: parameters, scalar: scalar)
    let point = try publicKey(key)
    #expect(document.dataGroups[15]?.suffix(65) == point[...])
    // Doc 9303-11 §9.2.8: ActiveAuthenticationInfo, plain ECDSA with SHA-256.
    let info = try Hex.bytes("30170606678108010105020101060A04007F00070101040103")
    #expect(document.dataGroups[14]?.contains(info) == true)
  }

  @Test func onlyTwoHaveActiveAuthentication() {
    let with = Persona.all.filter { $0.travelDocument.activeAuthenticationKey != nil }
    #expect(with.map(\.identifier) == ["gemalto2", "st"])
    #expect(
      Persona.all.filter { $0.travelDocument.dataGroups[15] != nil }.map(\.identifier)
        == ["gemalto2", "st"])
  }

  /// The ChipAuthenticationPublicKeyInfo with this key, which must exist once.
  private func info(
    of key: TravelDocumentData.ChipAuthenticationKey, in infos: [[UInt8]]
  ) throws -> [UInt8] {
    let value = try publicKey(key)
    let found = infos.filter { $0.contains(value) }
    #expect(found.count == 1)
    return try #require(found.first)
  }

  private func publicKey(_ key: TravelDocumentData.ChipAuthenticationKey) throws -> [UInt8] {
    if key.parameterIdentifier == 2 {
      let group = DomainParameters.standard
      return BERObject.integer(
        try ModularArithmetic.power(group.generator, key.scalar, modulus: group.prime))
    }
    let name = try #require(StandardCurve(rawValue: key.parameterIdentifier))
    let curve = try EllipticCurve(name)
    return try curve.multiply(curve.generator, by: Secret(key.scalar))
  }

  private func securityInfos(in group: [UInt8]) throws -> [[UInt8]] {
    let file = try #require(BERObject.single(0x6E, group))
    let set = try #require(BERObject.single(0x31, file.value))
    return try #require(BERObject.list(set.value)).map(\.value)
  }
}
