@testable import CIECard
import Primitives
import TestSupport
@testable import VirtualCIE

/// Evidence that a server gets from a terminal.
extension FuzzTarget {
  static let evidence = FuzzTarget("evidence") {
    try gathered.get()
  } play: { probe in
    let evidence = try CardEvidence(sealed(probe.bytes) ?? probe.bytes)
    let text = probe.bytes.last == 0x0A ? [UInt8](probe.bytes.dropLast()) : probe.bytes
    let isVerifiable = evidence.request.form == .verifiableDocument
    probe.require(isVerifiable || evidence.bytes == text, "the one form of this evidence")
    probe.require((try? CardEvidence(evidence.bytes)) != nil, "it is read again")
    let challenge = isVerifiable ? [UInt8](challenge.prefix(8)) : challenge
    let report = EvidenceReport(
      judging: evidence, trust: try anchors.get(), expecting: .init(challenge: challenge), at: time)
    probe.require(
      // A travel document alone signs the request, and not each byte of its files.
      report.outcome != .proved || evidence.ias == nil
        || (try? gathered.get().contains(text)) == true,
      "proved, and no card has said it")
    probe.require(
      report.outcome != .proved || evidence.document == nil
        || evidence.document?.files[.dg1] == (try? document.get().files[.dg1]),
      "proved of another person")
    let strict = EvidenceReport(
      judging: evidence, trust: try anchors.get(),
      expecting: .init(challenge: challenge, parts: Set(EvidenceReport.Part.allCases)), at: time)
    probe.require(
      strict.outcome != .proved
        || evidence.document != nil && evidence.ias != nil && evidence.holder != nil,
      "proved without a part that is required")
  }

  /// The hashes of a verifiable document stop each changed byte, so an input may be its contents alone.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let parts = CBOR(bytes)?.members, let files = parts["files"]?.members,
      let proofs = parts["proofs"]?.members
    else { return nil }
    return CardEvidence.sealed(files: files, proofs: proofs)
  }

  private static let time: UTCTime = 1_767_225_600
  private static let challenge = [UInt8](1...16)

  private static let anchors = Result {
    let sides = [Persona.gemalto, .gemalto2].flatMap { [$0.csca, $0.documentCSCA] }
    return try TrustStore(sides.map { try Certificate(der: $0) })
  }

  /// Of the services number alone, and of a travel document with active authentication, too.
  private static let gathered = Result {
    let verifiable = try CardEvidence.gathered(
      from: .gemalto2, [.dg1], for: .init(verifiableDocument: [UInt8](challenge.prefix(8))),
      at: time
    ).bytes
    let (files, proofs) = try CardEvidence.opened(verifiable)
    let contents = CBOR.map(["files": .map(files), "proofs": .map(proofs)])
    return try [(Persona.gemalto, nil), (.gemalto2, [.dg1])].map { persona, groups in
      try CardEvidence.gathered(from: persona, groups, challenge: challenge, at: time).bytes
    } + [verifiable, contents.encoded]
  }

  /// The travel document in each of them.
  private static let document = Result {
    let evidence = try CardEvidence.gathered(
      from: .gemalto2, [.dg1], challenge: challenge, at: time)
    guard let document = evidence.document else { throw Unfit() }
    return document
  }
}
