@testable import CIECard
import TestSupport
import Testing

/// The generated travel documents of `travel-documents.json`.
struct TravelDocuments: Decodable, Sendable {
  let at: UTCTime
  let files: [String: HexBytes]
  let files14: HexBytes
  let cardAccess: HexBytes
  let weakerAccess: HexBytes
  let cardSecurity: HexBytes
  let otherSecurity: HexBytes
  let unboundSecurity: HexBytes
  let foreignSecurity: HexBytes
  let foreignAnchor: HexBytes
  let weakSecurity: HexBytes
  let challenge: HexBytes
  let response: HexBytes
  let cases: [Case]
  let faults: [Fault]

  struct Case: Decodable, Sendable {
    let name: String
    let securityObject: HexBytes
    let anchor: HexBytes
  }

  /// A card whose DG12 is not the signed one.
  struct Fault: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let files: [String: HexBytes]
    let securityObject: HexBytes
    let anchor: HexBytes
    let expect: String

    var testDescription: String { name }

    var evidence: AuthenticityReport.Evidence.Document {
      get throws {
        var groups: [DataGroup: [UInt8]] = [:]
        for (number, contents) in files {
          groups[try #require(UInt8(number).flatMap(DataGroup.init(rawValue:)))] = contents.bytes
        }
        return AuthenticityReport.Evidence.Document(
          securityObject: securityObject.bytes, files: groups, chipAuthentication: .notOffered)
      }
    }

    var store: TrustStore { get throws { try TrustStore([Certificate(der: anchor.bytes)]) } }
  }

  static func load() throws -> TravelDocuments {
    try Vectors.decode("travel-documents", as: Self.self)
  }

  func named(_ name: String) throws -> Case { try #require(cases.first { $0.name == name }) }

  func store(_ name: String = "complete") throws -> TrustStore {
    try TrustStore([Certificate(der: named(name).anchor.bytes)])
  }

  /// The card's files, with the security object of a case; opened with a CAN, chip authentication done.
  func evidence(_ name: String = "complete") throws -> AuthenticityReport.Evidence.Document {
    var groups: [DataGroup: [UInt8]] = [:]
    for (number, contents) in files {
      groups[try #require(UInt8(number).flatMap(DataGroup.init(rawValue:)))] = contents.bytes
    }
    return AuthenticityReport.Evidence.Document(
      securityObject: try named(name).securityObject.bytes, files: groups,
      cardAccess: cardAccess.bytes, chipAuthentication: .proved, challenge: challenge.bytes,
      response: response.bytes)
  }

  /// The report on the evidence of a case, after changing it.
  func report(
    _ name: String = "complete", trusting: Bool = true, at time: UTCTime? = nil,
    changing change: (inout AuthenticityReport.Evidence.Document) throws -> Void = { _ in }
  ) throws -> AuthenticityReport {
    var evidence = try evidence(name)
    try change(&evidence)
    return AuthenticityReport(
      judging: evidence, trust: trusting ? try store(name) : nil, at: time ?? at)
  }
}
