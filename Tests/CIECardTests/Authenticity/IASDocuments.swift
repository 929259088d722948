@testable import CIECard
import TestSupport
import Testing

/// The generated security objects of `ias-sod.json` and the files that they cover.
struct IASDocuments: Decodable, Sendable {
  let at: UTCTime
  let files: [String: HexBytes]
  let challenge: HexBytes
  let response: HexBytes
  let cases: [Case]
  let hostileKeys: [HostileKey]

  struct HostileKey: Decodable, Sendable {
    let comment: String
    let securityObject: HexBytes
  }

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let trust: [HexBytes]
    let securityObject: HexBytes
    let expect: Expectation

    var testDescription: String { name }

    var store: TrustStore {
      get throws { try TrustStore(trust.map { try Certificate(der: $0.bytes) }) }
    }
  }

  struct Expectation: Decodable, Sendable {
    let outcome: String
    let points: [String: String]
    let remarks: [String]
  }

  private static let file = Result { try Vectors.decode("ias-sod", as: Self.self) }

  static func load() throws -> IASDocuments { try file.get() }

  func named(_ name: String) throws -> Case { try #require(cases.first { $0.name == name }) }

  /// All files of a card, with the security object of a case.
  func evidence(_ vector: Case) throws -> AuthenticityReport.Evidence {
    var files: [AuthenticityReport.IASDataGroup: [UInt8]] = [:]
    for (number, contents) in self.files {
      let group = try #require(
        UInt8(number, radix: 16).flatMap(AuthenticityReport.IASDataGroup.init(rawValue:)))
      files[group] = contents.bytes
    }
    return AuthenticityReport.Evidence(
      securityObject: vector.securityObject.bytes, files: files, challenge: challenge.bytes,
      response: response.bytes)
  }

  /// The report on the evidence of a case, after changing it.
  func report(
    _ name: String, trusting: Bool = true, at time: UTCTime? = nil,
    changing change: (inout AuthenticityReport.Evidence) -> Void = { _ in }
  ) throws -> AuthenticityReport {
    let vector = try named(name)
    var evidence = try evidence(vector)
    change(&evidence)
    return AuthenticityReport(
      judging: evidence, trust: trusting ? try vector.store : nil, at: time ?? at)
  }
}
