import CIECard
import CardWork
import Messages
import Primitives
import VirtualCIE

/// A software card in this process, with its faults and options.
struct SoftwareCard: SubstituteCard {
  let persona: Persona
  var faults = FaultPlan()
  var options = CardOptions()

  var place: String { "virtual \(persona.identifier)" }
  var answerToReset: [UInt8] { VirtualCard(persona: persona).answerToReset }
  var isRecording: Bool { false }
  var authority: TrustStore? { try? persona.authority() }

  func open() throws(Failure) -> SubstituteConversation {
    let card = VirtualCard(persona: persona, faults: faults, options: options)
    return SubstituteConversation(
      over: AnyCardChannel(VirtualCardChannel(card)),
      .software(authority: try persona.authority()), random: SystemRandom())
  }
}

extension Persona {
  /// The test authorities that sign both sides of the card of this persona.
  func authority() throws(Failure) -> TrustStore {
    guard let ias = TrustStore(der: csca), let document = TrustStore(der: documentCSCA) else {
      throw .trustStore(.notACertificate(path: identifier, reason: "no certificate"))
    }
    return ias.merged(with: document)
  }
}
