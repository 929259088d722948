import CIECard
import Traces
import TestSupport
import Testing
import VirtualCIE

/// Every function of the card, over the software card in this process, for every persona.
@Suite struct VirtualJourneyTests {
  private static let personas = Persona.all.map(\.identifier)

  private struct Run {
    let persona: Persona
    let card: VirtualCard
    let values: [Trace.Expectation.Value]
  }

  private func run(
    _ identifier: String, extendedLength: ChannelTraits.ExtendedLength? = nil,
    _ journey: (Persona) throws -> Trace.Journey
  ) throws -> Run {
    let persona = try #require(Persona.named(identifier))
    let card = VirtualCard(persona: persona)
    var random = SystemRandom()
    let values = try JourneyRunner(try journey(persona), at: TestClock.now).run(
      over: VirtualCardChannel(card, extendedLength: extendedLength), random: &random)
    return Run(persona: persona, card: card, values: values)
  }

  @Test(arguments: personas) func information(identifier: String) throws {
    let run = try run(identifier) { _ in .information }
    #expect(run.values == [.servicesNumber(run.persona.nis)])
  }

  @Test(arguments: personas) func chipSerialNumberHoldsTheServicesNumber(
    identifier: String
  ) throws {
    let run = try run(identifier) { _ in .serialNumber }
    guard case .serialNumber(let bytes)? = run.values.first else {
      Issue.record("no serial number")
      return
    }
    #expect(Hex.text(bytes).dropFirst(10).prefix(12) == run.persona.nis)
  }

  @Test(arguments: personas) func documentNumber(identifier: String) throws {
    let run = try run(identifier) { .documentNumber(pin: $0.pin) }
    #expect(run.values == [.documentNumber(run.persona.documentNumber)])
  }

  @Test(arguments: personas) func certificate(identifier: String) throws {
    let run = try run(identifier) { .certificate(pin: $0.pin) }
    let hash = try HashAlgorithm.sha256.hash(run.persona.certificate)
    #expect(run.values == [.certificateHash(hash)])
  }

  @Test(arguments: personas) func signaturesOfAllDigestsInOneSession(identifier: String) throws {
    let run = try run(identifier) { persona in
      .sign(
        pin: persona.pin,
        digests: try Digest.Algorithm.allCases.map { try Digest($0, hashing: [1, 2, 3]) })
    }
    #expect(run.values.count == 3)
    #expect(run.card.log.counters.verifications == 1)
    #expect(run.card.log.counters.holderSignatures == 3)
  }

  @Test(arguments: personas) func shortAPDUsSuffice(identifier: String) throws {
    let run = try run(identifier, extendedLength: .notCarried) {
      .sign(pin: $0.pin, digests: [try Digest(.sha256, hashing: [1])])
    }
    #expect(run.card.log.entries.allSatisfy { $0.commandLength <= 261 })
    #expect(run.card.log.entries.allSatisfy { $0.responseLength <= 258 })
  }

  @Test(arguments: personas) func extendedIsFoundOutWhereTheReaderDoesNotSay(
    identifier: String
  ) throws {
    let run = try run(identifier, extendedLength: .unknown) {
      .sign(pin: $0.pin, digests: [try Digest(.sha256, hashing: [1])])
    }
    #expect(run.card.log.counters.holderSignatures == 1)
  }

  @Test(arguments: personas) func genuineCardIsProved(identifier: String) throws {
    let run = try run(identifier) { .authenticity(challenge: nil, trustAnchors: [$0.csca]) }
    #expect(run.values.first == .servicesNumber(run.persona.nis))
    #expect(run.values.dropFirst().count == 10)
    for value in run.values.dropFirst() {
      guard case .report(_, let verdict) = value else {
        Issue.record("\(value)")
        continue
      }
      #expect(verdict == "proved", "\(value)")
    }
  }

  @Test(arguments: personas) func withoutAnchorTheChainCannotBeChecked(identifier: String) throws {
    let run = try run(identifier) { _ in .servicesNumber }
    #expect(run.values.contains(.report(point: "signer-chain", verdict: "could-not-check")))
    #expect(run.values.contains(.report(point: "challenge", verdict: "proved")))
    #expect(run.values.contains(.report(point: "hash-services-number", verdict: "proved")))
  }

  @Test(arguments: personas) func anotherStatesAnchorProvesNothing(identifier: String) throws {
    let other = try #require(Persona.all.first { $0.identifier != identifier })
    let run = try run(identifier) { _ in .authenticity(challenge: nil, trustAnchors: [other.csca]) }
    #expect(!run.values.contains(.report(point: "signer-chain", verdict: "proved")))
  }

  @Test(arguments: personas) func changedPINIsTheNewOne(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let card = VirtualCard(persona: persona)
    try Self.go(.changePIN(pin: persona.pin, newPIN: "27182845"), on: card)
    #expect(throws: CardError(.verifyPIN, .wrongCode(.pin, triesLeft: 2))) {
      try Self.go(.verifyPIN(pin: persona.pin), on: card)
    }
    try Self.go(.verifyPIN(pin: "27182845"), on: card)
    #expect(card.triesLeft.pin == 3)
  }

  @Test(arguments: personas) func blockedPINIsUnblocked(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let card = VirtualCard(persona: persona)
    for left in [2, 1] {
      #expect(throws: CardError(.verifyPIN, .wrongCode(.pin, triesLeft: left))) {
        try Self.go(.verifyPIN(pin: "00000001"), on: card)
      }
    }
    let tellsTries = try Self.tries(on: card) != nil
    if tellsTries {
      #expect(throws: CardError(.verifyPIN, .lastTryRefused(.pin))) {
        try Self.go(.verifyPIN(pin: "00000001"), on: card)
      }
      #expect(card.triesLeft.pin == 1)
    } else {
      #expect(throws: CardError(.verifyPIN, .blocked(.pin))) {
        try Self.go(.verifyPIN(pin: "00000001"), on: card)
      }
      #expect(card.triesLeft.pin == 0)
    }
    try Self.go(.unblockPIN(puk: persona.puk, newPIN: "31415926"), on: card)
    #expect(card.triesLeft.pin == 3)
    try Self.go(.verifyPIN(pin: "31415926"), on: card)
  }

  private static func go(_ journey: Trace.Journey, on card: VirtualCard) throws {
    var random = SystemRandom()
    _ = try JourneyRunner(journey, at: TestClock.now).run(
      over: VirtualCardChannel(card), random: &random)
  }

  private static func tries(on card: VirtualCard) throws -> Int? {
    var random = SystemRandom()
    return try IdentityCard(over: VirtualCardChannel(card))
      .authenticate(checking: .skipped, random: &random).triesLeft
  }
}

/// The time at which the tests judge certificates.
enum TestClock {
  /// 2026-11-21T00:00:00Z, in seconds since 1970-01-01 UTC.
  static let now: UTCTime = 1_795_219_200
}
