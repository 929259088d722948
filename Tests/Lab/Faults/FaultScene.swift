import CIECard
import TraceScenarios
import Traces
import VirtualCIE

/// A function of the card, and its end without a fault.
struct FaultScene {
  /// The command of `cie-read` with this function.
  let command: String
  let persona: Persona
  let journey: Trace.Journey
  /// The proof required of a chip before it gets a code.
  let check: GenuineCheck
  /// A fault beside the tested one, which makes the chip a forgery.
  var forgery: String?
  /// True if the chip may get a code.
  var isVouchedFor = true

  /// Every function of the card; those with a code also with a chip of an unknown issuer if a known one is required,
  /// and with a chip that does not hold its key.
  static func all(on persona: Persona, unchecked: Bool) throws -> [FaultScene] {
    let stranger: Persona = persona.identifier == Persona.st.identifier ? .nxp : .st
    func check(_ persona: Persona) throws -> GenuineCheck {
      unchecked ? .skipped : .required(try store(of: persona), at: Measurement.time)
    }
    let (own, other) = (try check(persona), try check(stranger))
    let code = DocumentScenarios.can(of: persona)
    let free: [(String, Trace.Journey)] = [
      ("info", .information), ("nis", .servicesNumber),
      ("verify", .authenticity(challenge: nil, trustAnchors: [persona.csca])),
      (
        "read",
        .travelDocument(
          Trace.DocumentVisit(
            code: code, tasks: DocumentScenarios.tasks(of: persona),
            readsServicesNumberAfterwards: true))
      ),
      (
        "verify --can",
        .documentAuthenticity(
          code: code, groups: DocumentScenarios.provedGroups,
          trustAnchors: [persona.documentCSCA, persona.csca])
      ),
    ]
    let (pin, puk) = (persona.pin, persona.puk)
    let coded: [(String, Trace.Journey)] = [
      ("cert", .certificate(pin: pin)), ("pin verify", .verifyPIN(pin: pin)),
      ("pin change", .changePIN(pin: pin, newPIN: newPIN)),
      ("pin unblock", .unblockPIN(puk: puk, newPIN: newPIN)),
      (
        "sign",
        .sign(
          pin: pin, digests: [try Digest(.sha256, hashing: [1]), try Digest(.sha256, hashing: [2])])
      ),
    ]
    func scene(_ command: String, _ journey: Trace.Journey) -> FaultScene {
      FaultScene(command: command, persona: persona, journey: journey, check: own)
    }
    return free.map(scene)
      + coded.flatMap { name, journey in
        [
          scene(name, journey),
          FaultScene(
            command: "\(name), issuer unknown", persona: persona, journey: journey, check: other,
            isVouchedFor: false),
          FaultScene(
            command: "\(name), key not held", persona: persona, journey: journey, check: own,
            forgery: "wrong-authentication-signature", isVouchedFor: false),
        ]
      }
  }

  static let newPIN = "86420864"

  private static func store(of persona: Persona) throws -> TrustStore {
    try TrustStore([Certificate(der: persona.csca)])
  }

  func end(on card: VirtualCard) -> Trace.Expectation {
    var random = SystemRandom()
    return JourneyRunner(journey, at: Measurement.time, checking: check)
      .end(over: VirtualCardChannel(card), random: &random)
  }

  /// Reads the services number of a card, which takes no code.
  func number(on card: VirtualCard) -> Trace.Expectation {
    end(of: .servicesNumber, on: card)
  }

  /// Checks that a person can continue with the card once it has no fault: its number is read, its PIN verified.
  func goesOn(on card: VirtualCard, pin: String) -> Bool {
    number(on: card).outcome == .ok && end(of: .verifyPIN(pin: pin), on: card).outcome == .ok
  }

  private func end(of journey: Trace.Journey, on card: VirtualCard) -> Trace.Expectation {
    var random = SystemRandom()
    return JourneyRunner(journey, at: Measurement.time, checking: .skipped)
      .end(over: VirtualCardChannel(card), random: &random)
  }
}
