import Synchronization
import Testing
import VirtualCIE

@testable import CIECard

/// The PIN goes only to a chip with the State's signature.
@Suite struct GenuineCheckTests {
  private let persona = Persona.gemalto

  private func trust(_ persona: Persona) throws -> TrustStore {
    try TrustStore([Certificate(der: persona.csca)])
  }

  private func finding(
    _ check: GenuineCheck, _ channel: consuming some CardChannel & ~Copyable
  ) throws(CardError) -> GenuineCheck.Finding {
    var random = SystemRandom()
    return try IdentityCard(over: channel)
      .authenticate(checking: check, random: &random).genuineness
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func genuineIsProved(identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let check = GenuineCheck.required(try trust(persona), at: TestClock.now)
    #expect(try finding(check, VirtualCardChannel(persona: persona)) == .proved)
  }

  /// A test authority is not among the built-in ones: refused, unless the person, who is asked once, allows it.
  @Test func unknownAuthorityIsRefusedUnlessAllowed() throws {
    let asked = Mutex<[AuthenticityReport.Obstacle]>([])
    for allows in [false, true] {
      let check = GenuineCheck.required(.italian, at: TestClock.now) { obstacle in
        asked.withLock { $0.append(obstacle) }
        return allows
      }
      let channel = VirtualCardChannel(persona: persona)
      do throws(CardError) {
        let finding = try finding(check, channel)
        #expect(allows)
        guard case .couldNotCheck(.issuerUnknown) = finding else {
          Issue.record("\(finding)")
          continue
        }
      } catch {
        guard case .genuinenessUnknown(.issuerUnknown) = error.reason else { throw error }
        #expect(!allows)
      }
    }
    #expect(asked.withLock { $0.count } == 2)
    let refusal = #expect(throws: CardError.self) {
      try finding(.standard, VirtualCardChannel(persona: persona))
    }
    guard case .genuinenessUnknown(.issuerUnknown)? = refusal?.reason else {
      Issue.record("the default is not the safe one: \(String(describing: refusal))")
      return
    }
  }

  /// A forger's chip hides the evidence against it: in clear or by ending the channel, at once or only when the channel
  /// is opened again. The person is not asked, and no code is sent; on chips that take long commands, too.
  @Test(
    arguments: ["gemalto", "itj4"],
    [
      "hidden-file=1006", "hidden-file=1006:6982", "hidden-file=1006:6700",
      "hidden-file=1006:bare-6A82", "hidden-file=1006:bare-9000", "hidden-file=1006:bare-6988",
      "hidden-file=1004", "hidden-file=1004:6982", "hidden-file=1006:bare-6700",
    ])
  func withheldEvidenceIsRefused(identifier: String, fault: String) throws {
    let persona = try #require(Persona.named(identifier))
    let check = GenuineCheck.required(try trust(persona), at: TestClock.now) { obstacle in
      Issue.record("asked: \(obstacle)")
      return true
    }
    for kind in [CardError.CodeKind.pin, .puk] {
      let card = VirtualCard(persona: persona, faults: try FaultPlan(parsing: fault))
      var random = SystemRandom()
      let error = #expect(throws: CardError.self) {
        _ = try IdentityCard(over: VirtualCardChannel(card)).openChannel(
          before: kind, checking: check, remembering: KnownTries(), random: &random
        ).triesLeft
      }
      switch error?.reason {
      case .genuinenessUnknown(.refused), .genuinenessUnknown(.channelEnded),
        .genuinenessUnknown(.notRead), .notBelieved:
        break
      default: Issue.record("\(fault): \(String(describing: error))")
      }
      #expect(card.log.counters.verifications == 0)
    }
  }

  /// A consent that allows everything does not reach these.
  @Test func lackOfMemoryAndMalformedFilesAreRefused() {
    let check = GenuineCheck.required(nil, at: TestClock.now, allowing: { _ in true })
    let error = #expect(throws: CardError.self) { try check.admit(.couldNotCheck(.noMemory)) }
    #expect(error?.reason == .genuinenessUnknown(.noMemory))
    for step in [CardError.Step.readDeviceKey, .readSecurityObject] {
      let malformed = CardError(step, .malformed(.characters))
      #expect(check.refusal(because: malformed) == CardError(step, .genuinenessUnknown(.notRead)))
      #expect(GenuineCheck.skipped.refusal(because: malformed) == malformed)
    }
  }

  private func evidence(of persona: Persona) throws -> AuthenticityReport.Evidence {
    var card = IdentityCard(over: VirtualCardChannel(persona: persona))
    return try card.gatherEvidence(.everythingFree, challenge: [UInt8](repeating: 7, count: 32))
  }

  /// A chip with its own key pair and the files of another card: device authentication would succeed.
  @Test func ownKeyWithForeignFilesIsFalse() throws {
    let files = try evidence(of: .nxp)
    let ownKey = try #require(evidence(of: .gemalto).files[.deviceKey])
    let object = try #require(files.securityObject)
    let rightKey = try #require(files.files[.deviceKey])
    // Without any anchor too: a hash that differs is false whatever its signer, and the person is not asked.
    for trust in [nil, try trust(.nxp)] {
      let check = GenuineCheck.required(trust, at: TestClock.now, allowing: { _ in true })
      #expect(throws: Never.self) {
        try check.judge(securityObject: object, deviceKey: rightKey)
      }
      do throws(CardError) {
        _ = try check.judge(securityObject: object, deviceKey: ownKey)
        Issue.record("believed")
      } catch {
        #expect(error.reason == .notGenuine(.false(.hashDiffers)))
      }
    }
  }

  @Test func skippedReadsNothing() throws {
    let card = VirtualCard(persona: persona)
    #expect(try finding(.skipped, VirtualCardChannel(card)) == .skipped)
    #expect(!card.log.entries.contains { $0.isSecured && $0.instruction == 0xB0 })
  }
}
