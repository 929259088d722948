import CIECard
import Traces
import Testing
import VirtualCIE

/// Every command of the sign journey, every kind of fault: a typed error, or an outcome that the fault does not affect;
/// never a second VERIFY, never a signature that does not verify, never more commands than a bounded number.
@Suite struct HostileCardTests {
  /// A fault by its text form, and its possible effects.
  struct Attack: Sendable {
    let fault: String
    let harm: Harm

    /// Checks whether the fault alters this good answer at all: one of 9000 may be right, a short one is not cut.
    func changes(_ entry: CardLog.Entry) -> Bool {
      switch fault {
      case "status=9000": false
      case "truncated-answer=40": entry.responseLength > 40
      default: true
      }
    }

    /// The effect of the fault on the journey.
    enum Harm: Sendable {
      /// Only an answer under secure messaging can show it, and must then end the journey.
      case securedAnswer
      /// Any answer that shows it must end the journey, unless the answer was requested only to save work or tries.
      case anyAnswer
      /// It lasts from that command on: it must end the journey unless no later answer could show it.
      case lasting
    }
  }

  static let attacks = [
    Attack(fault: "wrong-mac", harm: .securedAnswer),
    Attack(fault: "stripped-protection", harm: .securedAnswer),
    Attack(fault: "stale-counter", harm: .securedAnswer),
    Attack(fault: "bare-status=9000", harm: .securedAnswer),
    Attack(fault: "bare-status=6A82", harm: .securedAnswer),
    Attack(fault: "truncated-answer=0", harm: .anyAnswer),
    Attack(fault: "truncated-answer=1", harm: .anyAnswer),
    Attack(fault: "truncated-answer=2", harm: .anyAnswer),
    Attack(fault: "truncated-answer=40", harm: .anyAnswer),
    Attack(fault: "cut-data=1", harm: .anyAnswer),
    Attack(fault: "cut-data=200", harm: .anyAnswer),
    Attack(fault: "status=6F00", harm: .anyAnswer),
    Attack(fault: "status=9000", harm: .anyAnswer),
    Attack(fault: "status=6983", harm: .anyAnswer),
    Attack(fault: "status=63C1", harm: .anyAnswer),
    Attack(fault: "status=6C10", harm: .anyAnswer),
    Attack(fault: "status=6110", harm: .anyAnswer),
    Attack(fault: "wrong-authentication-signature", harm: .lasting),
    Attack(fault: "wrong-signature", harm: .lasting),
    Attack(fault: "trivial-dh=generator-one", harm: .lasting),
    Attack(fault: "trivial-dh=generator-minus-one", harm: .lasting),
    Attack(fault: "trivial-dh=card-value-zero", harm: .lasting),
    Attack(fault: "trivial-dh=card-value-one", harm: .lasting),
    Attack(fault: "trivial-dh=card-value-minus-one", harm: .lasting),
    Attack(fault: "endless-61xx", harm: .lasting),
    Attack(fault: "endless-61xx=1", harm: .lasting),
    Attack(fault: "endless-6cxx", harm: .lasting),
    Attack(fault: "card-removed", harm: .anyAnswer),
    Attack(fault: "card-mute", harm: .anyAnswer),
    Attack(fault: "delay=1", harm: .lasting),
  ]

  private struct Outcome {
    let values: [Trace.Expectation.Value]?
    let error: CardError?
    let log: CardLog
  }

  private func sign(_ persona: Persona, faults: FaultPlan = FaultPlan()) throws -> Outcome {
    let card = VirtualCard(persona: persona, faults: faults)
    var random = SystemRandom()
    let runner = JourneyRunner(
      .sign(pin: persona.pin, digests: [try Digest(.sha256, hashing: [1])]), at: TestClock.now)
    do throws(CardError) {
      let values = try runner.run(over: VirtualCardChannel(card), random: &random)
      return Outcome(values: values, error: nil, log: card.log)
    } catch {
      return Outcome(values: nil, error: error, log: card.log)
    }
  }

  /// One persona uses short APDUs, the other extended ones; the other chips send no other commands.
  @Test(arguments: ["gemalto", "itj4"])
  func everyFaultAtEveryCommand(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let good = try sign(persona)
    try #require(good.error == nil)
    var refused = 0
    for attack in Self.attacks {
      for (index, entry) in good.log.entries.enumerated() {
        let plan = try FaultPlan(parsing: "\(attack.fault)@\(index + 1)")
        let outcome = try sign(persona, faults: plan)
        let place = "\(attack.fault) at command \(index + 1) of \(identifier)"
        #expect(outcome.log.triggeredFaults >= 1, "\(place): not shown")
        #expect(outcome.log.counters.verifications <= 1, "\(place): second VERIFY")
        #expect(outcome.log.entries.count <= good.log.entries.count + 300, "\(place): no end")
        if outcome.error != nil { refused += 1 }
        switch attack.harm {
        case .securedAnswer where entry.isSecured && !mayEndTheChannel(attack, index, good.log):
          #expect(outcome.error != nil, "\(place): believed")
          #expect(outcome.values == nil)
        case .anyAnswer
        where entry.isSecured && attack.changes(entry)
          && !mayEndTheChannel(attack, index, good.log):
          #expect(outcome.error != nil || mayBeRepeated(entry), "\(place): believed")
        case .securedAnswer, .anyAnswer, .lasting:
          break
        }
      }
    }
    // Most combinations must have been refused, otherwise the faults had no effect.
    #expect(refused > good.log.entries.count * Self.attacks.count / 2)
  }

  /// A refused READ BINARY is repeated after SELECT, or with another length, or omitted, as is the question for the
  /// tries. In extended form any command refused with a status word about the length is repeated in short form.
  private func mayBeRepeated(_ entry: CardLog.Entry) -> Bool {
    entry.instruction == 0xB0 || entry.instruction == 0xCB
  }

  /// A bare status word before VERIFY ends the channel, which is then opened once more: in short form, or without the
  /// command that it answered. So does an answer of only two bytes.
  private func mayEndTheChannel(_ attack: Attack, _ index: Int, _ log: CardLog) -> Bool {
    let verify = log.entries.firstIndex { $0.instruction == 0x20 } ?? 0
    return ["bare-status=6A82", "truncated-answer=2"].contains(attack.fault) && index < verify
  }

  @Test(arguments: [
    (
      "wrong-authentication-signature", CardError.Step.authenticateChip,
      CardError.Reason.chipNotAuthentic
    ),
    ("wrong-signature", .sign, .signatureFalse),
    ("trivial-dh=generator-one", .readDomainParameters, .unsafeParameters(.generator)),
    ("trivial-dh=generator-minus-one", .readDomainParameters, .unsafeParameters(.generator)),
    ("trivial-dh=card-value-zero", .agreeKeys, .unsafeParameters(.publicValue)),
    ("trivial-dh=card-value-one", .agreeKeys, .unsafeParameters(.publicValue)),
    ("trivial-dh=card-value-minus-one", .agreeKeys, .unsafeParameters(.publicValue)),
    ("wrong-mac@20:1", .verifyPIN, .notBelieved(.wrongMAC)),
    ("stripped-protection@20:1", .verifyPIN, .notBelieved(.unprotected(.success))),
    ("stale-counter@20:1", .verifyPIN, .notBelieved(.wrongMAC)),
    ("bare-status=63C2@20:1", .verifyPIN, .channelEnded(.triesLeft(2))),
    ("bare-status=6983@20:1", .verifyPIN, .channelEnded(.authenticationBlocked)),
    ("status=63C2@20:1", .verifyPIN, .wrongCode(.pin, triesLeft: 2)),
    ("status=6983@20:1", .verifyPIN, .blocked(.pin)),
    ("status=6300@20:1", .verifyPIN, .wrongCode(.pin, triesLeft: nil)),
    ("card-removed@20:1", .verifyPIN, .channel(.cardRemoved)),
    ("card-mute@88:2", .sign, .channel(.cardMute)),
    ("truncated-answer=1@20:1", .verifyPIN, .channel(.truncatedResponse(length: 1))),
    ("endless-61xx", .selectRoot, .endlessAnswer),
  ])
  func faultHasItsError(fault: String, step: CardError.Step, reason: CardError.Reason) throws {
    for persona in Persona.all {
      let outcome = try sign(persona, faults: try FaultPlan(parsing: fault))
      #expect(outcome.error == CardError(step, reason), "\(persona.identifier)")
      #expect(outcome.log.counters.verifications <= 1)
    }
  }

  /// A card that does not know the first command for its root gets the next one, in any order.
  @Test(arguments: Persona.all.map(\.identifier))
  func rootIsFoundAnyWay(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let outcome = try sign(persona, faults: try FaultPlan(parsing: "status=6A82@1"))
    #expect(outcome.error == nil)
    #expect(outcome.log.counters.verifications == 1)
  }

  /// No PIN leaves before the chip is proven: after any failure up to there, the card never saw a VERIFY.
  @Test func noVerifyBeforeTheChipIsProven() throws {
    for persona in Persona.all {
      let good = try sign(persona)
      let verify = try #require(good.log.entries.firstIndex { $0.instruction == 0x20 })
      let outcome = try sign(
        persona, faults: try FaultPlan(parsing: "wrong-authentication-signature"))
      #expect(!outcome.log.entries.contains { $0.instruction == 0x20 })
      for index in 0..<verify where good.log.entries[index].isSecured {
        let plan = try FaultPlan(parsing: "wrong-mac@\(index + 1)")
        #expect(try !sign(persona, faults: plan).log.entries.contains { $0.instruction == 0x20 })
      }
    }
  }
}
