import CIECard
import VirtualCIE
import Traces

/// The traces of a card that behaves: every function for every persona, and what goes wrong on our side.
enum VirtualScenarios {
  static func all() throws -> [Scenario] {
    try Persona.all.flatMap { persona in
      try journeys(of: persona).map { journey in
        scenario(persona, journey, title(of: journey))
      } + [
        scenario(persona, .verifyPIN(pin: wrongCode), variant: "wrong", "A wrong PIN"),
        scenario(
          persona, .unblockPIN(puk: wrongCode, newPIN: newPIN), variant: "wrong", "A wrong PUK"),
        scenario(
          persona, .authenticity(challenge: nil, trustAnchors: [stranger(to: persona)]),
          variant: "foreign-anchor", "Proof against the authority of another country"),
      ]
    }
  }

  private static func scenario(
    _ persona: Persona, _ journey: Trace.Journey, variant: String? = nil, _ title: String
  ) -> Scenario {
    let words = [persona.identifier, journey.name] + [variant].compactMap { $0 }
    return Scenario(
      section: .virtual, name: words.joined(separator: "-"),
      title: "\(title), \(persona.identifier)", persona: persona, journey: journey)
  }

  /// The test authority of somebody else.
  private static func stranger(to persona: Persona) -> [UInt8] {
    (persona.identifier == Persona.gemalto.identifier ? Persona.nxp : .gemalto).csca
  }

  /// One of each, with the persona's published codes.
  static func journeys(of persona: Persona) throws -> [Trace.Journey] {
    [
      .information, .servicesNumber, .serialNumber,
      .documentNumber(pin: persona.pin), .certificate(pin: persona.pin),
      .verifyPIN(pin: persona.pin), .changePIN(pin: persona.pin, newPIN: newPIN),
      .unblockPIN(puk: persona.puk, newPIN: newPIN),
      .sign(
        pin: persona.pin,
        digests: try Digest.Algorithm.allCases.map { try Digest($0, hashing: message) }),
      .authenticity(challenge: nil, trustAnchors: [persona.csca]),
    ]
  }

  private static let newPIN = "86420864"
  private static let wrongCode = "40506070"
  private static let message = [UInt8]("A message that nobody sent.".utf8)

  private static func title(of journey: Trace.Journey) -> String {
    switch journey {
    case .information: "Which applications answer"
    case .servicesNumber: "The services number, and what can be proved of it without a trust anchor"
    case .serialNumber: "The serial number of the chip"
    case .documentNumber: "The document number after the PIN"
    case .certificate: "The holder's certificate after the PIN"
    case .verifyPIN: "The right PIN"
    case .changePIN: "A new PIN by means of the old one"
    case .unblockPIN: "A new PIN by means of the PUK"
    case .sign: "Three signatures in one session"
    case .authenticity: "Proof that the chip is genuine"
    case .travelDocument: "A visit to the travel document"
    case .documentAuthenticity: "Proof that the travel document is genuine"
    }
  }
}
