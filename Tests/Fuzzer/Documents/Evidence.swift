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
  }

  private static let time: UTCTime = 1_767_225_600
  private static let challenge = [UInt8](1...16)

  private static let anchors = Result {
    let sides = [Persona.gemalto, .gemalto2].flatMap { [$0.csca, $0.documentCSCA] }
    return try TrustStore(sides.map { try Certificate(der: $0) })
  }

  /// Of the services number alone, and of a travel document with active authentication, too.
  private static let gathered = Result {
    try [gather(.gemalto, nil), gather(.gemalto2, [.dg1])]
  }

  private static func gather(_ persona: Persona, _ groups: Set<DataGroup>?) throws -> [UInt8] {
    guard let request = CardEvidence.Request(challenge: challenge) else { throw Unfit() }
    var evidence = CardEvidence(request, time: time, program: "fuzzer")
    var random = SeededRandom(seed: "evidence")
    let card = VirtualCard(persona: persona, random: SeededRandom(seed: "card"))
    var side = IdentityCard(over: VirtualCardChannel(card))
    if let groups {
      var document = try side.openTravelDocument(
        with: AccessCode(can: Secret([UInt8](persona.can.utf8))), random: &random)
      try document.gatherEvidence(groups, into: &evidence, random: &random)
      side = try document.endSession()
    }
    try side.gatherEvidence(.servicesNumber, into: &evidence)
    return evidence.bytes
  }
}
