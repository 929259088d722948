import TestSupport
import Testing

@testable import CIECard

/// The announcements of chips, against published files.
@Suite struct SecurityInfosTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let encoded: HexBytes
    let fileTag: String?
    let securityInfos: [Info]
    var testDescription: String { name }

    var parsed: SecurityInfos {
      get throws {
        try fileTag == nil
          ? SecurityInfos(encoded.bytes) : SecurityInfos(dataGroup14: encoded.bytes)
      }
    }
  }

  struct Info: Decodable, Sendable {
    let `protocol`: String
    let name: String?
    let version: Int?
    let parameterId: Int?
    let publicKeyAlgorithm: String?
    let signatureAlgorithm: String?
  }

  static func octets(_ dotted: String) throws -> [UInt8] {
    let arcs = try dotted.split(separator: ".").map { try #require(Int($0)) }
    return ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap { arc in
      var digits = [UInt8(arc & 0x7F)]
      var rest = arc >> 7
      while rest > 0 {
        digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return digits
    }
  }

  @Test(arguments: try Vectors.cases("securityinfos", of: Case.self))
  func published(_ vector: Case) throws {
    let parsed = try vector.parsed
    #expect(parsed.infos.count == vector.securityInfos.count)
    #expect(Array(vector.encoded.bytes.suffix(parsed.encoded.count)) == parsed.encoded)
    for (found, told) in zip(parsed.infos, vector.securityInfos) {
      try check(found, told)
    }
  }

  private func check(_ found: SecurityInfo, _ told: Info) throws {
    let identifier = try Self.octets(told.protocol)
    switch found {
    case .pace(let info):
      #expect(info.protocol.objectIdentifier == identifier)
      #expect(info.version == told.version && info.parameterIdentifier == told.parameterId)
    case .chipAuthentication(let info):
      #expect(info.protocol.objectIdentifier == identifier)
      #expect(info.version == told.version && info.keyIdentifier == nil)
    case .chipAuthenticationPublicKey(let info):
      #expect(ProtocolIdentifier.publicKey + [info.agreement.rawValue] == identifier)
      let algorithm = try Self.octets(try #require(told.publicKeyAlgorithm))
      let head = try #require(info.subjectPublicKeyInfo.firstIndex(of: UInt8(DER.objectIdentifier)))
      #expect(info.subjectPublicKeyInfo[(head + 2)...].starts(with: algorithm))
    case .terminalAuthentication: #expect(told.name == "id-TA")
    case .activeAuthentication(let info):
      #expect(info.version == told.version)
      #expect(info.signatureAlgorithm == (try Self.octets(try #require(told.signatureAlgorithm))))
    case .unknown(let other): #expect(other == identifier && told.name == nil)
    case .paceDomainParameter, .directory: Issue.record("not in the vectors")
    }
  }

  @Test func citizensCard() throws {
    let file = try Hex.bytes("31143012060A04007F00070202040101020102020102")
    let variant = try #require(
      PACEProtocol(objectIdentifier: Self.octets("0.4.0.127.0.7.2.2.4.1.1")))
    #expect(variant.agreement == .dh && variant.mapping == .generic && variant.cipher == .tripleDES)
    for padding in [[], [0, 0, 0]] as [[UInt8]] {
      guard case .pace(let info) = try SecurityInfos(file + padding).infos.first else {
        Issue.record("no PACEInfo")
        return
      }
      #expect(info.protocol == variant && info.version == 2 && info.parameterIdentifier == 2)
    }
  }

  @Test func everyVariantHasItsOwnIdentifierAndOthersHaveNone() throws {
    var found: Set<PACEProtocol> = []
    for mapping in UInt8.min...UInt8.max {
      for cipher in UInt8.min...UInt8.max {
        let identifier = ProtocolIdentifier.pace + [mapping, cipher]
        guard let variant = PACEProtocol(objectIdentifier: identifier) else { continue }
        #expect(variant.objectIdentifier == identifier)
        found.insert(variant)
      }
    }
    #expect(found.count == 4 * 4 + 3)
    #expect(PACEProtocol(objectIdentifier: ProtocolIdentifier.pace + [6, 1]) == nil)
    #expect(PACEProtocol(objectIdentifier: ProtocolIdentifier.pace + [1, 1, 1]) == nil)
    for agreement in KeyAgreementMethod.allCases {
      for cipher in SessionCipher.allCases {
        let variant = ChipAuthenticationProtocol(agreement: agreement, cipher: cipher)
        #expect(ChipAuthenticationProtocol(objectIdentifier: variant.objectIdentifier) == variant)
      }
    }
  }

  @Test func keyNumbersAndTheRarerInfos() throws {
    func info(_ identifier: [UInt8], _ rest: [UInt8]) -> [UInt8] {
      TLV.encode(DER.sequence, TLV.encode(DER.objectIdentifier, identifier) + rest)
    }
    let algorithm = TLV.encode(DER.sequence, TLV.encode(DER.objectIdentifier, [0x2A]))
    let set = TLV.encode(
      DER.set,
      [
        info(ProtocolIdentifier.chipAuthentication + [2, 2], [2, 1, 1, 2, 2, 0, 0xC3]),
        info(ProtocolIdentifier.chipAuthentication + [2, 2], [2, 1, 1, 2, 1, 0xC3]),
        info(ProtocolIdentifier.publicKey + [2], algorithm + [2, 1, 0]),
        info(ProtocolIdentifier.pace + [2], algorithm + [2, 1, 0x21]),
        info(ProtocolIdentifier.directory, [4, 0]),
        info(ProtocolIdentifier.pace + [5, 1], [2, 1, 2]),
        info([], []),
      ])
    let infos = try SecurityInfos(set).infos
    for info in infos.prefix(2) {
      guard case .chipAuthentication(let info) = info else {
        Issue.record("\(info)")
        continue
      }
      #expect(info.keyIdentifier?.bytes == [0xC3])
    }
    guard case .chipAuthenticationPublicKey(let key) = infos[2],
      case .paceDomainParameter(let domain) = infos[3]
    else {
      Issue.record("\(infos)")
      return
    }
    #expect(key.keyIdentifier?.bytes == [0] && key.subjectPublicKeyInfo == algorithm)
    #expect(domain.parameterIdentifier == 0x21 && domain.agreement == .ecdh)
    #expect(infos[4] == .directory)
    #expect(infos[5] == .unknown(objectIdentifier: ProtocolIdentifier.pace + [5, 1]))
    #expect(infos[6] == .unknown(objectIdentifier: []))
  }

  @Test func leftoversAreRefused() {
    let identifier = TLV.encode(DER.objectIdentifier, ProtocolIdentifier.pace + [1, 1])
    let version: [UInt8] = [2, 1, 2]
    let info = TLV.encode(DER.sequence, identifier + version + version + [5, 0])
    #expect(throws: DataGroup.Malformation.trailingBytes(count: 2)) {
      try SecurityInfos(TLV.encode(DER.set, info))
    }
    #expect(throws: DataGroup.Malformation.unexpectedTag(found: 0x61, expected: 0x31)) {
      try SecurityInfos([0x61, 0])
    }
    #expect(throws: DataGroup.Malformation.trailingBytes(count: 1)) {
      try SecurityInfos(dataGroup14: [0x6E, 3, 0x31, 0, 0])
    }
  }

  @Test(arguments: try Vectors.cases("securityinfos", of: Case.self))
  func hostile(_ vector: Case) throws {
    let file = vector.encoded.bytes
    func parse(_ file: [UInt8]) throws(DataGroup.Malformation) -> SecurityInfos {
      try vector.fileTag == nil ? SecurityInfos(file) : SecurityInfos(dataGroup14: file)
    }
    for prefix in HostileFiles.prefixes(of: file) {
      #expect(throws: DataGroup.Malformation.truncated) { try parse(prefix) }
    }
    let good = try parse(file)
    var refused = 0
    for changed in HostileFiles.changes(of: file, at: file.indices) {
      do throws(DataGroup.Malformation) {
        #expect(try parse(changed) != good)
      } catch { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test func madeUpFilesAreRefusedQuickly() {
    for file in HostileFiles.madeUp(tag: 0x31, inner: [0x30, 0x06, 0x02]) {
      // An empty set is a set.
      guard file.first == 0x31, file.count > 1, file[1] != 0 else { continue }
      #expect(throws: DataGroup.Malformation.self) { try SecurityInfos(file) }
      #expect(throws: DataGroup.Malformation.self) {
        try SecurityInfos(dataGroup14: TLV.encode(0x6E, file))
      }
    }
  }
}
