@testable import CIECard
import TestSupport
import Testing

/// Judging a travel document: signature, dates, hashes, and the agreement of the files.
@Suite struct TravelDocumentReportTests {
  typealias Kind = AuthenticityReport.Kind
  let documents: TravelDocuments

  init() throws { documents = try TravelDocuments.load() }

  @Test func completeDocumentIsProved() throws {
    let report = try documents.report()
    #expect(report.side == .travelDocument)
    #expect(report.outcome == .proved && report.cloning == .excluded)
    #expect(report.points.allSatisfy { $0.verdict == .proved }, "\(report.points)")
    let hashes: [Kind] = [.dg1, .dg11, .dg12, .dg14, .dg15].map { .dataGroup($0) }
    #expect(
      report.points.map { $0.kind }
        == [
          .signature, .signerChain, .signerDocumentType, .signerValidity, .signerValidityAtIssue,
        ] + hashes
        + [.chipAuthentication, .activeAuthentication, .announcement, .issuingState])
  }

  @Test(arguments: ["stored-order", "legacy-type"])
  func deviationsAreTaken(name: String) throws {
    let report = try documents.report(name)
    #expect(report.points.allSatisfy { $0.verdict == .proved }, "\(report.points)")
  }

  /// Names that differ only in the order of their attributes; all other checks are unchanged.
  @Test func namesInAnotherOrder() throws {
    let report = try documents.report("name-order")
    #expect(report.points.allSatisfy { $0.verdict == .proved }, "\(report.points)")
    let refused: [(String, AuthenticityReport.Verdict)] = [
      ("name-order-other-key", .false(.notIssuedByTrustStore)),
      ("name-order-not-a-ca", .false(.chainRefused(reason: "invalid CA certificate"))),
      ("name-order-key-usage", .false(.chainRefused(reason: "invalid CA certificate"))),
      ("name-order-critical", .false(.chainRefused(reason: "unhandled critical extension"))),
    ]
    for (name, verdict) in refused {
      #expect(try documents.report(name)[.signerChain] == verdict, "\(name)")
    }
    let link = try documents.report("name-order-link")
    guard case .couldNotCheck(.issuerUnknown)? = link[.signerChain] else {
      Issue.record("\(link.points)")
      return
    }
  }

  @Test func dateOfIssue() throws {
    #expect(try documents.report("signing-time") { $0.files[.dg12] = nil }.outcome == .proved)
    let none = try documents.report("no-date") { $0.files[.dg12] = nil }
    #expect(none[.signerValidityAtIssue] == .couldNotCheck(.noDateOfIssue))
    #expect(none.outcome == .proved)
    let ended = try documents.report("ended-signer")
    #expect(ended[.signerValidityAtIssue] == .proved)
    #expect(ended[.signerValidity] == .couldNotCheck(.expired(notAfter: 1_748_736_000)))
    // It was valid when the document was issued: documents of fifty years outlive their signers.
    #expect(ended.outcome == .proved && ended.cloning == .excluded)
    let undated = try documents.report("ended-signer") { $0.files[.dg12] = nil }
    #expect(undated[.signerValidityAtIssue] == .couldNotCheck(.noDateOfIssue))
    #expect(undated.outcome == .couldNotCheck)
    let later = try documents.report("later-signer")
    #expect(
      later[.signerValidityAtIssue] == .couldNotCheck(.notYetValid(notBefore: 1_748_736_000)))
    // If DG12 is not the signed one, its date is not trusted either.
    let altered = try documents.report("later-signer") { evidence in
      let file = evidence.files[.dg12] ?? []
      let date = file.indices.first { file[$0...].starts(with: [UInt8]("2025".utf8)) }
      if let date { evidence.files[.dg12]?[date + 3] = UInt8(ascii: "6") }
    }
    #expect(altered[.dataGroup(.dg12)] == .false(.hashDiffers))
    #expect(altered[.signerValidityAtIssue] == .couldNotCheck(.noDateOfIssue))
  }

  @Test(arguments: [DataGroup.dg1, .dg11, .dg12, .dg14, .dg15])
  func changedGroupsAreFalse(group: DataGroup) throws {
    let report = try documents.report { evidence in
      let file = evidence.files[group] ?? []
      evidence.files[group] = file.dropLast() + [(file.last ?? 0) ^ 1]
    }
    #expect(report[.dataGroup(group)] == .false(.hashDiffers))
    #expect(report.outcome == .false)
    let short = try documents.report { $0.files[group]?.removeLast() }
    #expect(short[.dataGroup(group)] == .false(.malformedFile))
    let other = try documents.report {
      $0.files[group] = $0.files[group].map { [0x75] + $0.dropFirst() }
    }
    #expect(other[.dataGroup(group)] == .false(.malformedFile))
  }

  @Test func paddingIsNotHashedUnlessTheStateDid() throws {
    let padded = try documents.report { evidence in
      for group in evidence.files.keys {
        evidence.files[group]? += [UInt8](repeating: 0, count: 16)
      }
      evidence.securityObject? += [0, 0]
    }
    #expect(padded.points.allSatisfy { $0.verdict == .proved }, "\(padded.points)")
    let signed = try documents.report("padding-hashed") {
      $0.files[.dg11]? += [UInt8](repeating: 0, count: 16)
    }
    #expect(signed.points.allSatisfy { $0.verdict == .proved })
    let cut = try documents.report("padding-hashed")
    #expect(cut[.dataGroup(.dg11)] == .false(.hashDiffers))
  }

  @Test func groupThatIsNotListedIsFalse() throws {
    let report = try documents.report { $0.files[.dg13] = [0x6D, 0x01, 0x00] }
    #expect(report[.dataGroup(.dg13)] == .false(.notListed))
    #expect(report.outcome == .false)
  }

  @Test func unreadGroupsAreNoPoints() throws {
    let report = try documents.report { $0.files[.dg11] = nil }
    #expect(report[.dataGroup(.dg11)] == nil)
    #expect(report.outcome == .proved)
    let empty = try documents.report { $0.files[.dg1] = nil }
    #expect(empty[.dataGroup(.dg1)] == .couldNotCheck(.notRead))
    #expect(empty[.issuingState] == .couldNotCheck(.notRead))
    #expect(empty.outcome == .couldNotCheck)
  }

  @Test func withheldGroupsCannotBeChecked() throws {
    let report = try documents.report {
      $0.files[.dg2] = nil
      $0.unread = [.dg2]
    }
    #expect(report[.dataGroup(.dg2)] == .couldNotCheck(.notRead))
    #expect(report.outcome == .couldNotCheck && !report.isPassivelyProved)
  }

  @Test func securityObjectOfAnotherPersonIsFalse() throws {
    let report = try documents.report("other-person")
    #expect(report[.signature] == .proved && report[.signerChain] == .proved)
    #expect(report[.dataGroup(.dg1)] == .false(.hashDiffers))
    #expect(report.outcome == .false)
  }

  @Test func otherStateIsFalse() throws {
    let report = try documents.report("foreign")
    #expect(report[.signerChain] == .proved)
    #expect(report[.issuingState] == .false(.otherState(issuing: "ITA", signing: "FR")))
    #expect(report.outcome == .false)
  }

  /// In a card that has the IAS side of a CIE the document must be Italian, whatever it claims.
  @Test func documentOfACIEIsItalian() throws {
    func report(_ name: String) throws -> AuthenticityReport {
      AuthenticityReport(
        judging: try documents.evidence(name), trust: try documents.store(name),
        at: documents.at, isOfCIE: true)
    }
    #expect(try report("complete").outcome == .proved)
    let fault = try #require(documents.faults.first { $0.name == "foreign" })
    let french = AuthenticityReport(
      judging: try fault.evidence, trust: try fault.store, at: documents.at, isOfCIE: true)
    #expect(french[.issuingState] == .false(.zoneOfOtherState("FRA")))
  }

  @Test func signerIsOneForTheTypeOfDocument() throws {
    #expect(try documents.report("two-letters").outcome == .proved)
    let passports = try documents.report("passports-only")
    #expect(passports[.signerDocumentType] == .false(.otherDocumentType(["P"])))
    #expect(passports.outcome == .false)
    let unread = try documents.report { $0.files[.dg1] = nil }
    #expect(unread[.signerDocumentType] == .couldNotCheck(.notRead))
  }

  /// Of a zone that is not the signed one only that is said, whether it can be read or not.
  @Test(arguments: [true, false]) func nothingIsToldFromAChangedZone(isLegible: Bool) throws {
    let report = try documents.report { evidence in
      guard isLegible, let last = evidence.files[.dg1]?.indices.last else {
        evidence.files[.dg1] = [0x61, 0x00]
        return
      }
      evidence.files[.dg1]?[last] ^= 1
    }
    #expect(report[.dataGroup(.dg1)] == .false(.hashDiffers))
    #expect(report[.signerDocumentType] == .couldNotCheck(.zoneNotProved))
    #expect(report[.issuingState] == .couldNotCheck(.zoneNotProved))
  }

  @Test func withoutTrustStoreTheChainIsOpen() throws {
    let report = try documents.report(trusting: false)
    #expect(report[.signerChain] == .couldNotCheck(.noTrustStore))
    #expect(report[.signerValidityAtIssue] == .couldNotCheck(.noChain))
    #expect(report[.issuingState] == .couldNotCheck(.noChain))
    #expect(report.outcome == .couldNotCheck && report.cloning == .notJudged)
  }

  @Test func withoutEvidenceNothingIsProved() throws {
    let report = AuthenticityReport(
      judging: AuthenticityReport.Evidence.Document(), trust: try documents.store(),
      at: documents.at
    )
    #expect(report.outcome == .couldNotCheck && report.cloning == .notJudged)
    #expect(
      report.points.allSatisfy { if case .couldNotCheck = $0.verdict { true } else { false } })
  }

  @Test func malformedSecurityObjectIsFalse() throws {
    let report = try documents.report { $0.securityObject = [0x77, 0x00] }
    guard case .false(.malformedSecurityObject)? = report[.signature] else {
      Issue.record("\(report.points)")
      return
    }
    #expect(report[.dataGroup(.dg1)] == .couldNotCheck(.noSecurityObject))
    #expect(report.outcome == .false && report.cloning == .possible)
  }

  @Test func zoneThatOpenedTheChip() throws {
    let zone = try MRZ(dataGroup1: try #require(documents.files["1"]).bytes)
    let same = try documents.report { $0.mrzInformation = MRZ.Information(zone) }
    #expect(same[.openedZone] == .proved && same.outcome == .proved)
    let other = try documents.report {
      $0.mrzInformation = MRZ.Information(
        number: [UInt8]("CA00000AB".utf8), birth: [UInt8]("850101".utf8),
        expiry: [UInt8]("350101".utf8))
    }
    #expect(other[.openedZone] == .false(.otherZone) && other.outcome == .false)
  }
}
