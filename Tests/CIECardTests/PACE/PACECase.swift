import TestSupport
import Testing

@testable import CIECard

/// A published run of PACE: both sides' private values and every command.
struct PACECase: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let oid: String
  let paramId: Int
  let passwordType: String
  let password: String?
  let mrzInformation: String?
  let pi: HexBytes
  let kPi: HexBytes
  let s: HexBytes
  let t: HexBytes?
  let mapSkIfd: HexBytes?
  let mappedG: HexBytes
  let ephSkIfd: HexBytes
  let k: HexBytes
  let ksEnc: HexBytes
  let ksMac: HexBytes
  let mseHas84: Bool?
  let caPkIc: HexBytes?
  let caIc: HexBytes?
  let apdus: [Exchange]

  struct Exchange: Decodable, Sendable {
    let cmd: HexBytes
    let rsp: HexBytes
  }

  var testDescription: String { name }

  static let files = ["pace-dh-gm", "pace-ecdh-gm", "pace-im", "pace-im-dh", "pace-cam"]

  static func all() throws -> [PACECase] {
    try files.flatMap { try Vectors.cases($0, of: PACECase.self) }
  }

  /// The last two arcs of 0.4.0.127.0.7.2.2.4.m.c.
  var selection: PACE.Selection {
    get throws {
      let arcs = oid.split(separator: ".").suffix(2).compactMap { UInt8($0) }
      let identifier = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x04] + arcs
      let info =
        TLV.encode(0x06, identifier) + TLV.encode(0x02, [0x02])
        + TLV.encode(0x02, [UInt8(paramId)])
      let infos = try SecurityInfos(TLV.encode(0x31, TLV.encode(0x30, info)))
      guard case .pace(let pace) = infos.infos.first,
        let domain = try AgreementDomain(standardized: paramId)
      else { throw Unusable() }
      return PACE.Selection(info: pace, domain: domain, namesParameters: mseHas84 ?? false)
    }
  }

  func code() throws -> AccessCode {
    if let information = mrzInformation {
      return try AccessCode(mrz: MRZ.Information(published: information))
    }
    return try AccessCode(can: Secret([UInt8]((password ?? "").utf8)))
  }

  /// The terminal's draws, in order.
  var draws: [[UInt8]] { [(t ?? mapSkIfd)?.bytes ?? [], ephSkIfd.bytes] }

  struct Unusable: Error {}
}

extension MRZ.Information {
  /// Takes the zone from its own 24 characters; the check digits are recomputed and must be equal.
  init(published text: String) {
    let characters = [UInt8](text.utf8)
    self.init(
      number: [UInt8](characters.prefix(9)), birth: [UInt8](characters[10..<16]),
      expiry: [UInt8](characters[17..<23]))
  }
}

/// Predetermined draws.
struct PlannedRandom: RandomSource {
  var draws: [[UInt8]]

  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard let draw = draws.first, draw.count == buffer.count else {
      throw CryptoError("planned random", reason: "no draw of \(buffer.count) bytes")
    }
    buffer.copyBytes(from: draw)
    draws.removeFirst()
  }
}
