import CIECard
import Traces
import TestSupport
import Testing

@testable import VirtualCIE

/// Visits to the travel document of a persona, for the tests.
enum DocumentJourneys {
  /// A reader that carries the key agreement of a CIE.
  static let extendedReader = ChannelTraits.ExtendedLength.carried(maximumDataLength: 65_536)

  static func can(of persona: Persona) -> Trace.DocumentCode { .can(persona.can) }

  static func mrz(of persona: Persona) -> Trace.DocumentCode {
    .mrz(number: persona.documentNumber, birth: persona.birthDate, expiry: persona.expiryDate)
  }

  /// The document of a software card, opened with its CAN.
  static func open(
    _ card: VirtualCard, lengths: ChannelTraits.LengthPolicy = .automatic
  ) throws -> TravelDocument<VirtualCardChannel> {
    try IdentityCard(over: VirtualCardChannel(card), lengths: lengths)
      .openTravelDocument(with: AccessCode(can: card.persona.can))
  }

  /// Every file of the document, then the proofs that it has keys for.
  static func everything(in persona: Persona) throws -> [Trace.DocumentTask] {
    let numbers = Set(persona.dataGroupNumbers)
    let groups = try numbers.sorted().map { try #require(DataGroup(rawValue: $0)) }
    return [.read(.common), .read(.securityObject)] + groups.map { .read(.group($0)) }
      + (numbers.contains(14) ? [.authenticateChip] : [])
      + (numbers.contains(15) ? [.answerChallenge] : [])
  }

  /// The expected findings, from the persona's files.
  static func findings(
    in persona: Persona, access: String, mapping: Bool = false
  ) throws -> [Trace.Expectation.Value] {
    let document = persona.travelDocument
    let files =
      [("com", document.common), ("sod", document.securityObject)]
      + document.dataGroups.sorted { $0.key < $1.key }.map { ("dg\($0.key)", $0.value) }
    return try [.servicesNumber(persona.nis), .access(access)]
      + (mapping ? [.chipMapping("proved")] : [])
      + files.map { .fileHash(name: $0.0, hash: try HashAlgorithm.sha256.hash($0.1)) }
      + (document.dataGroups[14] == nil
        ? []
        : [
          .chipAuthentication(
            document.chipAuthenticationKeys.isEmpty ? "not-offered" : "proved")
        ])
      + (document.dataGroups[15] == nil ? [] : [.activeAuthentication("proved")])
  }

  /// The protocol of a persona's document on a reader of extended commands.
  static func usualAccess(of persona: Persona) -> String {
    switch persona.family {
    case .gemalto, .gemalto2, .nxp, .st: "id-PACE-DH-GM-3DES-CBC-CBC"
    case .itj4: "id-PACE-ECDH-GM-AES-CBC-CMAC-256"
    case .unknown: "id-PACE-ECDH-CAM-AES-CBC-CMAC-128"
    }
  }

  /// Runs a journey over a software card.
  static func run(
    _ journey: Trace.Journey, on card: VirtualCard,
    reader: ChannelTraits.ExtendedLength = extendedReader
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var random = SystemRandom()
    return try JourneyRunner(journey, at: TestClock.now).run(
      over: VirtualCardChannel(card, extendedLength: reader), random: &random)
  }
}
