import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The published runs of PACE from the card's end: every response, byte by byte.
@Suite struct PACEVectorTests {
  private static let replayable = PACEVector.cases("pace-dh-gm", "pace-ecdh-gm", "pace-im")

  @Test func allRunsAreThere() {
    #expect(Self.replayable.count == 11)
    #expect(PACEVector.cases("pace-cam").count == 1)
  }

  @Test(arguments: replayable) func publishedConversationsAreGivenByteForByte(_ vector: PACEVector)
    throws
  {
    var terminal = TestTerminal(try vector.card())
    try #require(vector.apdus.count == 5)
    for exchange in vector.apdus {
      #expect(try terminal.raw(exchange.cmd.bytes) == exchange.rsp.bytes)
    }
    // The keys are those of the case.
    terminal.suite = try vector.profile().suite
    terminal.keys = (vector.ksEnc.bytes, vector.ksMac.bytes)
    let answer = try terminal.secure([0, 0xA4, 4, 0x0C], Application.travelDocumentAID)
    #expect(answer.status == 0x9000)
    #expect(try terminal.secure([0, 0xB0, 0x81, 0], le: 4).data.count == 4)
  }

  @Test(arguments: replayable) func everyOtherTokenIsRefused(_ vector: PACEVector) throws {
    let last = try #require(vector.apdus.last).cmd.bytes
    for index in 9..<17 {
      let terminal = try vector.card()
      for exchange in vector.apdus.dropLast() {
        #expect(try terminal.respond(to: exchange.cmd.bytes) == exchange.rsp.bytes)
      }
      var bad = last
      bad[index] ^= 0x80
      #expect(try terminal.respond(to: bad) == [0x63, 0x00])
      // No second guess: PACE restarts with MSE.
      #expect(try terminal.respond(to: last) == [0x69, 0x85])
      if vector.paramId < 8 { break }
    }
  }

  @Test func integratedMappingGivesThePublishedGenerator() throws {
    for vector in PACEVector.cases("pace-im", "pace-im-dh") {
      let profile = try vector.profile()
      let t = try #require(vector.apdus.dropFirst(2).first).cmd.bytes
        .dropFirst(9).prefix(profile.suite.keyLength)
      let mapping = IntegratedMapping(
        suite: profile.suite,
        group: try #require(AgreementGroup(parameterIdentifier: vector.paramId)))
      #expect(
        try mapping.generator(nonce: vector.s.bytes, terminalNonce: [UInt8](t))
          == vector.mappedG.bytes)
    }
  }
}
