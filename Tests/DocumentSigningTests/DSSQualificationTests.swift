import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// The qualification of signatures and certificates as the Commission's own library concludes it.
@Suite struct DSSQualificationTests {
  /// The facts of a test of esig/dss.
  private struct Case: Decodable {
    struct State: Decodable {
      let kind: String
      let status: String
      let start: String
      let qualifiers: [String]
      let uses: [String]
    }

    let file: String
    /// The beginning of the certificate.
    let issued: String
    /// The time of the signature's stamp, or that of judging.
    let time: String
    let statements: [String]
    let types: [String]
    let policies: [String]
    /// The states of each service.
    let services: [[State]]
    /// The qualification of a signature; or those of a certificate when it was issued, and at the time of judging.
    let expected: [String]
  }

  private typealias Word = SignatureReport.Qualification

  /// Our words for theirs. A certificate whose service was not granted has none: it is not proved.
  private static let words: [String: Set<Word?>] = [
    "QESIG": [.qualifiedSignature], "QCERT_FOR_ESIG_QSCD": [.qualifiedSignature],
    "ADESIG_QC": [.signature], "QCERT_FOR_ESIG": [.signature], "ADESEAL_QC": [.seal],
    "UNKNOWN_QC": [.undetermined], "UNKNOWN_QC_QSCD": [.undetermined],
    "QCERT_FOR_UNKNOWN_QSCD": [.undetermined], "UNKNOWN": [.other, nil],
    "ADESIG": [.advanced, nil], "CERT_FOR_ESIG": [.advanced, nil],
    "CERT_FOR_UNKNOWN": [.other, nil], "NA": [nil],
    // A certificate of a web site signs no documents.
    "NOT_ADES": [.other], "QCERT_FOR_WSA": [.other],
  ]

  /// Our word at the last of the times where it is another.
  private static let deviations: [String: Word] = [
    // They judge a certificate at one time; a signature counts if it was qualified when it was issued, too.
    "cert-validation/cert_forESig_qcForLegalPerson.xml": .advanced
  ]

  @Test func expectations() throws {
    let cases = try Vectors.cases("dss-qualification", of: Case.self)
    #expect(cases.count == 45)
    for each in cases {
      let standing = try Self.standing(of: each)
      let times = each.expected.count == 1 ? [each.time] : [each.issued, each.time]
      for (time, theirs) in zip(times, each.expected) {
        let ours = try Self.word(standing, at: time)
        let words = Self.words[theirs.replacing("INDETERMINATE_", with: "")] ?? []
        let deviation = time == each.time ? Self.deviations[each.file] : nil
        let expected = deviation.map { [$0] } ?? words
        #expect(expected.contains(ours), "\(each.file): \(theirs), \(String(describing: ours))")
      }
    }
  }

  private static func word(_ standing: ServiceStanding, at time: String) throws -> Word? {
    let time = try ListValue.time(time).unwrapped()
    return switch try standing.finding([], as: .signatures, at: time) {
    case .vouched(_, let trustedBy): trustedBy.qualification
    case .refused, .unknown: nil
    }
  }

  private static func standing(of each: Case) throws -> ServiceStanding {
    let policies =
      each.policies.isEmpty ? [] : ["certificatePolicies=" + each.policies.joined(separator: ",")]
    let signer = try QualifiedSigner(
      statements: each.statements, types: each.types.isEmpty ? nil : each.types,
      ["keyUsage=critical,nonRepudiation"] + policies)
    let services = try each.services.map { states in
      TrustedService.of(signer.issuer, try states.compactMap { try period($0) })
    }.filter { !$0.periods.isEmpty }
    return try ServiceStanding(
      services, of: .of(services), signer.certificate.beginning(at: each.issued), present: .now)
  }

  /// Nil for a kind that counts for nothing here.
  private static func period(_ state: Case.State) throws -> TrustedService.Period? {
    guard let kind = TrustedService.Kind(rawValue: state.kind) else { return nil }
    let qualifiers = state.qualifiers.map { TrustedService.Qualifier(rawValue: $0) ?? .other }
    return .of(
      TrustedService.Status(rawValue: state.status) ?? .other,
      since: try ListValue.time(state.start).unwrapped(), kind,
      for: Set(state.uses.compactMap { TrustedService.Use(rawValue: $0) }),
      // They are of a criterion that the certificate met.
      qualifiers.isEmpty
        ? [] : [.init(qualifiers: Set(qualifiers), criterion: .keyUsage([1: true]))])
  }
}

extension Certificate {
  /// The same with another beginning, and so without a signature.
  ///
  /// - Parameter time: as in a trusted list, such as `2018-12-20T00:00:11Z`.
  fileprivate func beginning(at time: String) throws -> Certificate {
    var bytes = der
    let digits = Array(time.utf8).filter { $0 >= 0x30 && $0 <= 0x39 }.dropFirst(2)
    let start = try bytes.place(of: [0x17, 0x0D]).unwrapped() + 2
    bytes.replaceSubrange(start..<start + digits.count, with: digits)
    return try Certificate(der: bytes)
  }
}
