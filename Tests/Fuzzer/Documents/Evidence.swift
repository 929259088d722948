@testable import CIECard
import Primitives
import TestSupport
@testable import VirtualCIE

/// Evidence that a server gets from a terminal.
extension FuzzTarget {
  static let evidence = FuzzTarget("evidence") {
    try gathered.get()
  } play: { probe in
    let evidence = try CardEvidence(probe.bytes)
    let text = probe.bytes.last == 0x0A ? [UInt8](probe.bytes.dropLast()) : probe.bytes
    probe.require(evidence.bytes == text, "the one form of this evidence")
    let report = EvidenceReport(
      judging: evidence, trust: try anchors.get(), expecting: .init(challenge: challenge), at: time)
    probe.require(
      // A travel document alone signs the request, and not each byte of its files.
      report.outcome != .proved || evidence.ias == nil
        || (try? gathered.get().contains(text)) == true,
      "proved, and no card has said it")
    let strict = EvidenceReport(
      judging: evidence, trust: try anchors.get(),
      expecting: .init(challenge: challenge, parts: Set(EvidenceReport.Part.allCases)), at: time)
    probe.require(
      strict.outcome != .proved
        || evidence.document != nil && evidence.ias != nil && evidence.holder != nil,
      "proved without a part that is required")
  }

  private static let time: UTCTime = 1_767_225_600
  private static let challenge = [UInt8](1...16)

  private static let anchors = Result {
    let sides = [Persona.gemalto, .gemalto2].flatMap { [$0.csca, $0.documentCSCA] }
    return try TrustStore(sides.map { try Certificate(der: $0) })
  }

  /// Of the services number alone, and of a travel document with active authentication, too.
  private static let gathered = Result {
    try [(Persona.gemalto, nil), (.gemalto2, [.dg1])].map { persona, groups in
      try CardEvidence.gathered(from: persona, groups, challenge: challenge, at: time).bytes
    }
  }
}
