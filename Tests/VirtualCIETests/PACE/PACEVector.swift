import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// A case of `pace-dh-gm.json`, `pace-ecdh-gm.json`, `pace-im.json` or `pace-cam.json`.
struct PACEVector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let oid: String
  let paramId: UInt8
  let mrzInformation: String?
  let password: String?
  let s: HexBytes
  let mapSkIc: HexBytes?
  let ephSkIc: HexBytes?
  let mappedG: HexBytes
  let ksEnc: HexBytes
  let ksMac: HexBytes
  let apdus: [Exchange]

  struct Exchange: Decodable, Sendable {
    let cmd: HexBytes
    let rsp: HexBytes
  }

  var testDescription: String { name }

  static func cases(_ files: String...) -> [PACEVector] {
    files.flatMap { (try? Vectors.cases($0, of: PACEVector.self)) ?? [] }
  }

  /// The variant of PACE, by the last two components of its object identifier.
  func profile() throws -> PACEProfile {
    let numbers = oid.split(separator: ".").suffix(2).compactMap { UInt8($0) }
    let mapping: PACEProfile.Mapping =
      switch numbers.first {
      case 1, 2: .generic
      case 3, 4: .integrated
      default: .chipAuthentication
      }
    let suite = try #require(CipherSuite.allCases.first { $0.identifier == numbers.last })
    return try #require(
      PACEProfile(mapping: mapping, suite: suite, parameterIdentifier: paramId))
  }

  /// A card with the password of the case and its private keys as the next draws.
  func card(faults: FaultPlan = FaultPlan()) throws -> VirtualCard {
    let profile = try profile()
    var options = CardOptions()
    options.paceProfiles = [profile]
    options.nonceLength = profile.suite == .tripleDES ? s.bytes.count : nil
    var document = Persona.gemalto.travelDocument
    if let mrzInformation { document.mrzInformation = mrzInformation }
    if let password, mrzInformation == nil { document.can = password }
    return VirtualCard(
      persona: .gemalto, travelDocument: document,
      random: RecordedRandom(s.bytes, mapSkIc?.bytes ?? [], ephSkIc?.bytes ?? []),
      faults: faults, options: options)
  }
}
