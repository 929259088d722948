import VirtualCIE

/// What the folder of traces must hold, and whose data may stand in it.
struct TraceCatalogue {
  /// The invented citizens of the software card.
  let personas: [Citizen]
  /// The faults that the software card can show in a recorded journey, without values.
  let faults: [String]
  /// The options of the software card, each with the values that a trace must show.
  let options: [String]

  /// What of a persona may stand in a trace.
  struct Citizen {
    let identifier: String
    let servicesNumber: String
    let documentNumber: String
    let fiscalCode: String
  }

  /// The personas and faults of the software card as it is built.
  static let current = TraceCatalogue(
    personas: Persona.all.map {
      Citizen(
        identifier: $0.identifier, servicesNumber: $0.nis, documentNumber: $0.documentNumber,
        fiscalCode: $0.fiscalCode)
    },
    faults: FaultPlan.generalFaultNames.map { name in String(name.prefix { $0 != "[" && $0 != "=" })
    },
    options: CardOptions.examples)
}
