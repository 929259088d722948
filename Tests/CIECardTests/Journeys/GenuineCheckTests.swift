import Traces
import Testing
import VirtualCIE

@testable import CIECard

/// The PIN goes only to a chip that the State vouches for.
@Suite struct GenuineCheckTests {
  private let persona = Persona.gemalto

  private func trust(_ persona: Persona) throws -> TrustStore {
    try TrustStore([Certificate(der: persona.csca)])
  }

  private func finding(
    _ check: GenuineCheck, _ channel: consuming some CardChannel & ~Copyable
  ) throws -> GenuineCheck.Finding {
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

  /// Nobody's anchor is among the built-in ones: a warning, unless it is required.
  @Test func unknownAuthorityIsAWarning() throws {
    guard
      case .couldNotCheck(let obstacle) = try finding(
        .standard, VirtualCardChannel(persona: persona))
    else {
      Issue.record("not a warning")
      return
    }
    guard case .issuerUnknown = obstacle else {
      Issue.record("\(obstacle)")
      return
    }
    let card = VirtualCard(persona: persona)
    do throws(CardError) {
      var random = SystemRandom()
      _ = try IdentityCard(over: VirtualCardChannel(card)).authenticate(
        checking: .required(.italian, at: TestClock.now), random: &random)
      Issue.record("went on")
    } catch {
      guard case .genuinenessUnknown(let unknown) = error.reason else { throw error }
      #expect(unknown == obstacle)
    }
    #expect(card.log.counters.verifications == 0)
  }

  private func evidence(of persona: Persona) throws -> AuthenticityReport.Evidence {
    var card = IdentityCard(over: VirtualCardChannel(persona: persona))
    return try card.gatherEvidence(.everythingFree, challenge: [UInt8](repeating: 7, count: 32))
  }

  /// A chip with a key pair of its own and the files of somebody else's card: device authentication would succeed.
  @Test func ownKeyWithForeignFilesIsFalse() throws {
    let files = try evidence(of: .nxp)
    let ownKey = try #require(evidence(of: .gemalto).files[.deviceKey])
    let rightKey = try #require(files.files[.deviceKey])
    // Without any anchor too: a hash that differs is false whoever signed it.
    for trust in [nil, try trust(.nxp)] {
      let check = GenuineCheck.expected(trust, at: TestClock.now)
      #expect(throws: Never.self) {
        try check.judge(securityObject: files.securityObject, deviceKey: rightKey)
      }
      do throws(CardError) {
        _ = try check.judge(securityObject: files.securityObject, deviceKey: ownKey)
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
