package import CIECard
package import Traces
package import VirtualCIE

/// The traces of a travel document without faults, and of failures on our side.
package enum DocumentScenarios {
  static func all() throws -> [Scenario] {
    Persona.all.flatMap(everyWay) + portraits + readers
  }

  /// A reader that carries the key agreement of a CIE.
  package static let extendedReader = ChannelTraits.ExtendedLength.carried(
    maximumDataLength: 65_536)

  /// The key to a persona's document, as printed on the card.
  package static func can(of persona: Persona) -> Trace.DocumentCode { .can(persona.can) }

  /// The zone on the other side of the card.
  package static func mrz(of persona: Persona) -> Trace.DocumentCode {
    .mrz(
      number: persona.documentNumber, birth: persona.birthDate, expiry: persona.expiryDate)
  }

  /// All personal data of a document but the portrait, and every proof of the chip.
  package static func tasks(of persona: Persona) -> [Trace.DocumentTask] {
    [.read(.common)] + tasks(of: persona, reading: [.dg1, .dg11, .dg12, .dg14, .dg15])
  }

  /// EF.SOD, those of the groups that the document has, and every proof of the chip that they allow.
  package static func tasks(of persona: Persona, reading order: [DataGroup]) -> [Trace.DocumentTask]
  {
    let groups = order.filter { persona.dataGroupNumbers.contains($0.number) }
    return [.read(.securityObject)] + groups.map { .read(.group($0)) }
      + (groups.contains(.dg14) ? [.authenticateChip] : [])
      + (groups.contains(.dg15) ? [.answerChallenge] : [])
  }

  /// The groups read when a document proves itself without the portrait.
  package static let provedGroups: [DataGroup] = [.dg1, .dg11, .dg12]

  private static func everyWay(_ persona: Persona) -> [Scenario] {
    let some: [Trace.DocumentTask] = [.read(.group(.dg1)), .read(.securityObject)]
    return [
      Scenario(
        persona,
        .documentAuthenticity(
          code: can(of: persona), groups: provedGroups, trustAnchors: [persona.documentCSCA]),
        reader: extendedReader, "Proof that the travel document is genuine"),
      scenario(
        persona, "The card access number, all but the portrait, then the other side",
        Trace.DocumentVisit(
          code: can(of: persona), tasks: tasks(of: persona), readsServicesNumberAfterwards: true)),
      scenario(
        persona, variant: "mrz", "Opened with the machine readable zone",
        Trace.DocumentVisit(code: mrz(of: persona), tasks: some)),
      scenario(
        persona, variant: "bac", options: "no-card-access", "Basic access control",
        Trace.DocumentVisit(code: mrz(of: persona), tasks: some)),
      scenario(
        persona, variant: "wrong-can", "A wrong card access number",
        Trace.DocumentVisit(code: .can("000000"), tasks: some)),
    ]
  }

  /// The tasks of `cie-read read` with the portrait: the longest one in short blocks, another one in extended blocks.
  private static let portraits = [Persona.gemalto, .gemalto2].map { persona in
    scenario(
      persona, variant: "portrait", "All that is read of a document, with the portrait",
      Trace.DocumentVisit(
        code: can(of: persona),
        tasks: tasks(of: persona, reading: [.dg1, .dg11, .dg12, .dg14, .dg15, .dg2])))
  }

  /// A reader of short commands opens the protocols that the card offers for them: none, basic access, or PACE on a
  /// curve.
  private static let readers = [
    ("short-reader", Persona.gemalto, can(of: .gemalto)),
    ("short-reader-mrz", .gemalto, mrz(of: .gemalto)), ("short-reader", .itj4, can(of: .itj4)),
  ].map { variant, persona, code in
    scenario(
      persona, variant: variant, reader: .notCarried, "A reader without extended length",
      Trace.DocumentVisit(code: code, tasks: [.read(.group(.dg1))]))
  }

  private static func scenario(
    _ persona: Persona, variant: String? = nil, options: String? = nil,
    reader: ChannelTraits.ExtendedLength = extendedReader, _ title: String,
    _ visit: Trace.DocumentVisit
  ) -> Scenario {
    Scenario(
      persona, .travelDocument(visit), variant: variant, options: options, reader: reader, title)
  }
}
