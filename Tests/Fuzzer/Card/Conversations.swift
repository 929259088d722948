@testable import CIECard
internal import Traces
@testable import VirtualCIE

/// Whole conversations with lying cards: PACE, the messages of the IAS side, files read under keys that the liar has.
extension FuzzTarget {
  static let conversations = [pace, ias, survey, sealedFiles]

  private static let paceOptions = [
    "pace=gm-aes128-13", "pace=gm-3des-12", "pace=im-aes192-13", "pace=gm-aes256-2",
    "no-card-access",
  ]

  private static let pace = FuzzTarget("pace") {
    paceOptions.indices.flatMap { [[UInt8($0)], [UInt8($0), 9, 5, 0, 0] + [0x7C, 0]] }
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let options = try CardOptions(
      parsing: paceOptions[Int(choices[0]) % paceOptions.count])
    let log = AlteredChannel.Log()
    let persona = Persona.gemalto
    var random = SeededRandom(seed: "terminal")
    let channel = AlteredChannel(
      VirtualCardChannel(
        persona: persona, random: SeededRandom(seed: "card"), options: options), by: rest, log: log)
    let code = try AccessCode(can: persona.can)
    var document = try IdentityCard(over: channel).openTravelDocument(with: code, random: &random)
    _ = try document.read(.dg1)
    probe.require(log.commands.count < 200, "a bounded number of commands")
  }

  private static let digest = try? Digest(.sha256, hashing: [1])

  private static func journey(_ choice: UInt8, _ persona: Persona) -> Trace.Journey {
    let all: [Trace.Journey] = [
      .sign(pin: persona.pin, digests: [digest].compactMap { $0 }), .servicesNumber, .information,
      .certificate(pin: persona.pin),
      .authenticity(
        challenge: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], trustAnchors: [persona.csca]),
      .changePIN(pin: persona.pin, newPIN: "86420975"),
    ]
    return all[Int(choice) % all.count]
  }

  private static let ias = FuzzTarget("ias") {
    // Each journey, and with an answer of each kind in the place of another.
    (0..<6).flatMap { (journey: UInt8) in
      (0..<3).map { [journey, $0] } + (0..<8).map { [journey, 0, 3 + 5 * $0, $0, 1, 7] }
    }
  } play: { probe in
    let (choices, rest) = probe.split(2)
    let persona = Persona.all[Int(choices[1]) % Persona.all.count]
    let log = AlteredChannel.Log()
    var random = SeededRandom(seed: "terminal")
    let channel = AlteredChannel(
      VirtualCardChannel(persona: persona, random: SeededRandom(seed: "card")), by: rest, log: log)
    defer {
      probe.require(log.verifications.count <= 1, "at most one VERIFY")
      probe.require(
        log.verifications.allSatisfy { $0[0] & 0x0C == 0x0C }, "no code goes out in clear")
      probe.require(log.commands.count < 400, "a bounded number of commands")
    }
    _ = try JourneyRunner(journey(choices[0], persona), at: 1_767_225_600)
      .run(over: channel, random: &random)
  }

  /// A card's description in EF.DIR, EF.ATR and file control parameters, as `cie-lab survey` requests it.
  private static let survey = FuzzTarget("survey") {
    let directory: [UInt8] =
      [0x61, 0x0F, 0x4F, 0x0D, 0xA0, 0, 0, 0, 0x30, 0x80, 0, 0, 0, 0x09, 0x81, 0x60, 0x01, 0x90, 0]
    let answer = [UInt8(directory.count)] + directory
    return [[0], [1], [2]].map { (head: [UInt8]) in
      head + [UInt8]((0..<40).map { _ in answer }.joined())
    }
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let atr = VirtualCard(persona: Persona.all[Int(choices[0]) % Persona.all.count]).answerToReset
    var random = SeededRandom(seed: "terminal")
    let (observations, end) = IdentityCard(over: WilfulChannel(atr: atr, answering: rest))
      .survey(
        with: nil, { nil }, checking: .skipped, remembering: KnownTries(), random: &random
      ) { _ in }
    probe.require(observations.count < 500, "a bounded number of answers")
    guard observations.contains(where: { $0.subject == "ef-dir" }) else {
      throw end ?? CardError(.probeApplications, .endlessAnswer)
    }
  }

  /// Files, objects and proofs from a chip that has the keys of the session.
  private static let sealedFiles = FuzzTarget("sealed-files") {
    let document = Persona.gemalto.travelDocument
    let files: [[UInt8]] = [
      document.dataGroups[1] ?? [], document.dataGroups[14] ?? [], Persona.gemalto.certificate,
      document.securityObject, document.dataGroups[2] ?? [],
    ]
    return files.enumerated().flatMap { job, file in
      [[UInt8(job), 0, 0xFF, 0], [UInt8(job), 1, 3, 4]].map { $0 + file }
    } + (5..<9).map { [UInt8($0), 0, 0xFF, 0, 0x70, 2, 0x91, 0] }
  } play: { probe in
    let (choices, rest) = probe.split(4)
    let ciphers = SessionCipher.allCases
    let keys = SealedKeys(ciphers[Int(choices[1]) % ciphers.count])
    let card = SealingChannel(
      keys, serving: rest, lying: choices[3], at: Int(choices[2]))
    var channel = SecureChannel(
      over: PlainChannel(card, cardTakesExtended: true),
      messaging: SecureMessaging(
        keys: keys.terminal, counter: SendSequenceCounter(for: keys.cipher)))
    var random = SeededRandom(seed: "terminal")
    switch choices[0] % 9 {
    case 0:
      _ = try MRZ(dataGroup1: FileReader.read(.dataGroup(.dg1), through: &channel))
    case 1:
      let file = try FileReader.read(.dataGroup(.dg14), through: &channel)
      for offer in try ChipAuthenticationOffer.all(in: SecurityInfos(dataGroup14: file)) {
        let result = try ChipAuthentication.run(offer, through: &channel, random: &random)
        probe.require(result != .proved, "a chip that keeps the old keys has proved nothing")
        return
      }
    case 2: _ = try Certificate(cutting: FileReader.read(.certificate, through: &channel))
    case 3:
      _ = try SecurityObject(file: FileReader.read(.documentSecurityObject, through: &channel))
    case 4:
      let file = try FileReader.read(.dataGroup(.dg2), through: &channel)
      _ = try DataGroup.Portrait(dataGroup2: file)
    case 5:
      try CIECard.DomainParameters.read(through: &channel, family: .gemalto).validate()
    case 6: try CIECard.DomainParameters.read(through: &channel, family: .nxp).validate()
    case 7:
      let authority = try AuthorityKey.read(through: &channel)
      _ = try TerminalCertificate(authority: authority).signed()
    default:
      let file = try FileReader.read(.deviceKey, through: &channel)
      guard let key = RSAPublicKey(cuttingPKCS1: file) else { throw Unfit() }
      let transcript = KeyAgreementTranscript(
        parameters: .init(generator: [2], modulus: [23], order: [11]), terminalValue: [4],
        cardValue: [8])
      _ = try DeviceAuthentication.proveChip(
        through: &channel, key: key, transcript: transcript, random: &random)
    }
  }
}
