@testable import CIECard
import TestSupport
import Testing

/// Files of a travel document that were cut or changed in one byte: a verdict every time, and never a wrong proof.
@Suite struct HostileTravelDocumentTests {
  let documents: TravelDocuments

  init() throws { documents = try TravelDocuments.load() }

  private func judge(
    _ change: (inout AuthenticityReport.Evidence.Document) -> Void
  ) throws -> AuthenticityReport {
    try documents.report(trusting: false, changing: change)
  }

  @Test(arguments: [DataGroup.dg1, .dg11, .dg12, .dg14, .dg15])
  func groups(group: DataGroup) throws {
    let good = try #require(documents.evidence().files[group])
    for length in good.indices {
      let report = try judge { $0.files[group] = [UInt8](good.prefix(length)) }
      #expect(report[.dataGroup(group)] == .false(.malformedFile))
    }
    for index in good.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        let report = try judge { $0.files[group]?[index] ^= mask }
        guard case .false? = report[.dataGroup(group)] else {
          Issue.record("byte \(index)")
          continue
        }
      }
    }
  }

  @Test func announcements() throws {
    let good = documents.cardAccess.bytes
    for length in good.indices {
      let report = try judge { $0.cardAccess = [UInt8](good.prefix(length)) }
      #expect(report[.announcement] == .false(.malformedFile))
    }
    for index in good.indices {
      for bit in 0..<8 {
        let report = try judge { $0.cardAccess?[index] ^= 1 << bit }
        #expect(report[.announcement] != .proved, "byte \(index)")
      }
    }
  }

  /// The unsigned parts of EF.CardSecurity may vary; its contents must not.
  @Test(arguments: [UInt8(0x01), 0xFF])
  func cardSecurity(mask: UInt8) throws {
    let good = documents.cardSecurity.bytes
    let contents = try CardSecurity(file: good).signed.content
    for length in good.indices {
      #expect(throws: AuthenticityReport.SecurityObjectError.self) {
        try CardSecurity(file: [UInt8](good.prefix(length)))
      }
    }
    for index in good.indices {
      var changed = good
      changed[index] ^= mask
      guard let file = try? CardSecurity(file: changed), file.signed.signature == .valid else {
        continue
      }
      #expect(file.signed.content == contents, "byte \(index)")
    }
  }

  @Test func hostileLengths() throws {
    let huge: [UInt8] = [0x84, 0x7F, 0xFF, 0xFF, 0xFF]
    let nested = [UInt8]([[UInt8]](repeating: [0x30, 0x80], count: 1000).joined())
    for group in DataGroup.allCases {
      for value in [huge, [], [0x00], nested] {
        let file = [UInt8(truncatingIfNeeded: group.tag)] + value
        let report = try judge { $0.files[group] = file }
        guard case .false? = report[.dataGroup(group)] else {
          Issue.record("\(group)")
          continue
        }
      }
    }
    for file in [[0x30] + huge, [0x31] + huge, nested, [], [0x31, 0x00], [0x30, 0x00]] {
      let report = try judge {
        $0.cardAccess = file
        $0.cardSecurity = file
        $0.chipAuthentication = .provedByMapping
      }
      #expect(report[.announcement] != .proved && report[.chipAuthentication] != .proved)
    }
  }
}
