public import CIECard
public import Primitives
public import VirtualCIE

extension CardEvidence {
  /// Evidence of a software card, read as a terminal does.
  ///
  /// - Parameters:
  ///   - persona: the card.
  ///   - groups: those of the travel document; `nil` to leave it closed.
  ///   - time: of the terminal's clock.
  public static func gathered(
    from persona: Persona, _ groups: Set<DataGroup>? = nil, challenge: [UInt8],
    audience: String? = nil, at time: UTCTime
  ) throws -> CardEvidence {
    try gathered(
      from: persona, groups, for: Request(challenge: challenge, audience: audience), at: time)
  }

  /// The same for a request of either form.
  public static func gathered(
    from persona: Persona, _ groups: Set<DataGroup>?, for request: Request?, at time: UTCTime
  ) throws -> CardEvidence {
    guard let request,
      var evidence = CardEvidence(for: request, program: "test 1", at: time)
    else { throw UnfitRequest() }
    var random = SeededRandom(seed: "terminal")
    var side = IdentityCard(
      over: VirtualCardChannel(VirtualCard(persona: persona, random: SeededRandom(seed: "card"))))
    if let groups {
      var document = try side.openTravelDocument(
        with: AccessCode(can: persona.can), random: &random)
      try document.gatherEvidence(groups, into: &evidence, random: &random)
      side = try document.endSession()
    }
    try side.gatherEvidence(.servicesNumber, into: &evidence)
    return evidence
  }

  private struct UnfitRequest: Error {}
}
