@testable import CIECard
import TestSupport
import Testing

/// Judging evidence: proved, false, or not checked.
@Suite struct AuthenticityReportTests {
  let documents: IASDocuments

  init() throws { documents = try IASDocuments.load() }

  @Test(arguments: try IASDocuments.load().cases)
  func judgesEveryCase(vector: IASDocuments.Case) throws {
    let report = AuthenticityReport(
      judging: try documents.evidence(vector), trust: try vector.store, at: documents.at)
    let isMalformed = vector.expect.outcome == "malformed"
    #expect(word(report.outcome) == (isMalformed ? "false" : vector.expect.outcome))
    for point in report.points {
      let expected =
        isMalformed ? malformed(point.kind) : vector.expect.points[word(point.kind)] ?? "proved"
      #expect(word(point.verdict) == expected, "\(point)")
      let isRemarked = vector.expect.remarks.contains(word(point.kind))
      // Of a signer older than its CSCA.
      let isOlder = vector.name == "sha1-of-2015" && point.kind == .signerChain
      let isUnnamed = vector.name == "rekeyed-csca" && point.kind == .signerChain
      #expect(
        point.remark
          == (isRemarked ? .sha1 : isUnnamed ? .oddKeyIdentifier : isOlder ? .oddDates : nil),
        "\(point)")
    }
    #expect(report.points.count == 4 + AuthenticityReport.IASDataGroup.allCases.count + 3)
  }

  @Test func reasonsSayWhatIsWrong() throws {
    let kinds: [(String, AuthenticityReport.Kind, AuthenticityReport.Verdict)] = [
      ("other-signing-key", .signature, .false(.signatureWrong)),
      ("content-type-attribute", .signature, .false(.contentsAltered)),
      (
        "unknown-algorithm", .signature,
        .couldNotCheck(.unsupportedAlgorithm("1.3.6.1.4.1.99999.1"))
      ),
      ("link-without-root", .signerChain, .false(.notIssuedByTrustStore)),
      ("signer-for-encryption", .signerChain, .false(.notASigner)),
      (
        "critical-extension", .signerChain,
        .false(.chainRefused(reason: "unhandled critical extension"))
      ),
      (
        "anchor-not-a-ca", .signerChain, .false(.chainRefused(reason: "invalid CA certificate"))
      ),
      ("expired-signer", .signerValidity, .couldNotCheck(.expired(notAfter: 1_767_225_599))),
      ("early-signer", .signerValidity, .couldNotCheck(.notYetValid(notBefore: 1_767_312_000))),
      ("two-signers", .signature, .false(.malformedSecurityObject(.signerCount(2)))),
      ("no-certificate", .signature, .false(.malformedSecurityObject(.noSignerCertificate))),
      (
        "other-content", .signature,
        .false(.malformedSecurityObject(.contentType("1.2.840.113549.1.7.1")))
      ),
      ("repeated-group", .signature, .false(.malformedSecurityObject(.repeatedDataGroup(0xA1)))),
      ("foreign-csca", .issuingState, .false(.otherState(issuing: "ITA", signing: "FR"))),
      ("foreign-above-link", .issuingState, .false(.otherState(issuing: "ITA", signing: "FR"))),
      ("no-document-types", .signerDocumentType, .couldNotCheck(.notStated)),
      ("other-document-types", .signerDocumentType, .false(.otherDocumentType(["P", "AC"]))),
      ("web-server", .signerChain, .false(.notASigner)),
      ("malformed-purposes", .signerChain, .false(.notASigner)),
      (
        "md5", .signature, .couldNotCheck(.unsupportedAlgorithm("1.2.840.113549.1.1.4"))
      ),
      (
        "md5-signer", .signerChain, .couldNotCheck(.unsupportedAlgorithm("1.2.840.113549.1.1.4"))
      ),
      ("sha1-version-1", .signature, .couldNotCheck(.weakAlgorithm)),
      ("sha1-signer-of-2021", .signerChain, .couldNotCheck(.weakAlgorithm)),
    ]
    for (name, kind, verdict) in kinds {
      #expect(try documents.report(name)[kind] == verdict, "\(name)")
    }
    let unknown = try documents.report("other-csca")[.signerChain]
    guard case .couldNotCheck(.issuerUnknown(let issuer)) = unknown else {
      Issue.record("\(String(describing: unknown))")
      return
    }
    #expect(issuer.commonName == "CSCA")
    let other = try documents.report("other-csca-same-name")[.signerChain]
    #expect(other == .couldNotCheck(.issuerKeyUnknown(issuer)))
  }

  /// Certificates without key identifiers: only the name identifies the expected issuer.
  @Test func otherKeyOfTheNamedIssuerIsFalse() throws {
    let vector = try documents.named("rekeyed-csca")
    let older = try TrustStore([Certificate(der: vector.trust[0].bytes)])
    let report = AuthenticityReport(
      judging: try documents.evidence(vector), trust: older, at: documents.at)
    #expect(report[.signerChain] == .false(.notIssuedByTrustStore))
  }

  @Test func validityEndsWithTheLastSecond() throws {
    let last: UTCTime = 1_767_225_599
    #expect(try documents.report("expired-signer", at: last).outcome == .proved)
    #expect(try documents.report("expired-signer", at: 1_767_225_600).outcome == .couldNotCheck)
    #expect(try documents.report("early-signer", at: 1_767_312_000).outcome == .proved)
    #expect(try documents.report("early-signer", at: 1_767_311_999).outcome == .couldNotCheck)
    for time in [UTCTime(seconds: .min), 0, UTCTime(seconds: .max)] {
      #expect(try documents.report("first-generation", at: time).outcome == .couldNotCheck)
    }
  }

  @Test(
    arguments: ["first-generation", "second-generation"], AuthenticityReport.IASDataGroup.allCases)
  func otherFileContentsAreFalse(name: String, group: AuthenticityReport.IASDataGroup) throws {
    let report = try documents.report(name) { evidence in
      // The last byte that is hashed: the files of the vectors have no padding.
      let file = evidence.files[group] ?? []
      evidence.files[group] = file.dropLast() + [(file.last ?? 0) ^ 1]
    }
    #expect(report[.hash(group)] == .false(.hashDiffers))
    #expect(report.outcome == .false)
    let changed: [AuthenticityReport.Kind] = [.hash(group), .challenge, .certificateNames]
    let others = report.points.filter { !changed.contains($0.kind) }
    #expect(others.allSatisfy { $0.verdict == .proved })
  }

  @Test(arguments: AuthenticityReport.IASDataGroup.allCases)
  func paddingIsNotHashed(group: AuthenticityReport.IASDataGroup) throws {
    let report = try documents.report("first-generation") { evidence in
      evidence.files[group, default: []] += [UInt8](repeating: 0, count: 40)
      evidence.securityObject? += [0, 0, 0]
    }
    #expect(report.outcome == .proved)
    #expect(report.points.allSatisfy { $0.verdict == .proved })
  }

  @Test(arguments: AuthenticityReport.IASDataGroup.allCases)
  func truncatedFilesAreFalse(group: AuthenticityReport.IASDataGroup) throws {
    let report = try documents.report("first-generation") { evidence in
      evidence.files[group]?.removeLast()
    }
    #expect(report[.hash(group)] == .false(.malformedFile))
  }

  @Test(arguments: AuthenticityReport.IASDataGroup.allCases)
  func absentFilesCannotBeChecked(group: AuthenticityReport.IASDataGroup) throws {
    let report = try documents.report("first-generation") { $0.files[group] = nil }
    #expect(report[.hash(group)] == (group.isFree ? .couldNotCheck(.notRead) : nil))
    let isRequired = [.servicesNumber, .servicesKey].contains(group)
    #expect(report.outcome == (isRequired ? .couldNotCheck : .proved))
    #expect(report.chipHoldsKey == (group != .servicesKey))
  }

  @Test func withoutTrustStoreTheChainIsOpen() throws {
    let report = try documents.report("first-generation", trusting: false)
    #expect(report.outcome == .couldNotCheck)
    #expect(report[.signerChain] == .couldNotCheck(.noTrustStore))
    #expect(report[.signerValidity] == .couldNotCheck(.noChain))
    #expect(report[.issuingState] == .couldNotCheck(.noChain))
    #expect(report[.signature] == .proved)
    let altered = try documents.report("other-signing-key", trusting: false)
    #expect(altered.outcome == .false)
  }

  @Test func withoutEvidenceNothingIsProved() throws {
    let store = try documents.named("first-generation").store
    let report = AuthenticityReport(
      judging: AuthenticityReport.Evidence(), trust: store, at: documents.at)
    #expect(report.outcome == .couldNotCheck)
    #expect(report.points.allSatisfy { word($0.verdict) == "couldNotCheck" })
    #expect(!report.chipHoldsKey)
  }

  @Test func groupThatIsNotListedIsFalse() throws {
    // The dh parameters' entry renamed to another number, by which the signature fails at another point.
    let report = try documents.report("first-generation") { evidence in
      let entry: [UInt8] = [0x02, 0x01, 0x1B]
      let sod = evidence.securityObject ?? []
      let start = sod.indices.first { sod[$0...].starts(with: entry) }
      if let start { evidence.securityObject?[start + 2] = 0x1C }
    }
    #expect(report[.hash(.dhParameters)] == .false(.notListed))
    #expect(report[.signature] == .false(.contentsAltered))
  }

  private func malformed(_ kind: AuthenticityReport.Kind) -> String {
    switch kind {
    case .signature: "false"
    case .challenge, .certificateNames: "proved"
    default: "couldNotCheck"
    }
  }

  private func word(_ kind: AuthenticityReport.Kind) -> String {
    switch kind {
    case .signature: "signature"
    case .signerChain: "signerChain"
    case .signerDocumentType: "signerDocumentType"
    case .signerValidity: "signerValidity"
    case .issuingState: "issuingState"
    case .certificateNames: "certificateNames"
    case .hash(let group): "hash\(group.rawValue)"
    case .challenge: "challenge"
    default: "no point of this side: \(kind)"
    }
  }

  private func word(_ verdict: AuthenticityReport.Verdict) -> String {
    switch verdict {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "knownFault"
    case .couldNotCheck: "couldNotCheck"
    }
  }

  private func word(_ outcome: AuthenticityReport.Outcome) -> String {
    switch outcome {
    case .proved: "proved"
    case .false: "false"
    case .knownFault: "knownFault"
    case .couldNotCheck: "couldNotCheck"
    }
  }
}
