import CIECard
import TestSupport
import Testing
import Traces

/// The worked examples of specifications: every printed byte is in its trace, at its place.
@Suite struct SpecTraceTests {
  private struct PACE: Decodable {
    let name: String
    let mapSkIfd: HexBytes?
    let t: HexBytes?
    let ephSkIfd: HexBytes
    let apdus: [Exchange]

    struct Exchange: Decodable {
      let cmd: HexBytes
      let rsp: HexBytes
    }
  }

  private struct BAC: Decodable {
    let rndIc: HexBytes
    let rndIfd: HexBytes
    let kIfd: HexBytes
    let cmd: HexBytes
    let rsp: HexBytes
  }

  private struct Messaging: Decodable {
    let exchanges: [Exchange]

    struct Exchange: Decodable {
      let protectedCmd: HexBytes
      let protectedRsp: HexBytes
    }
  }

  /// The commands and answers that are not remarked as built alone, and the draws.
  private func printed(
    _ name: String
  ) throws -> (exchanges: [[UInt8]], draws: [[UInt8]], header: Trace.Header) {
    let file = try #require(try TraceFile.all(in: "spec").first { $0.name.contains(name) })
    let trace = try Trace(parsing: file.bytes())
    var isPrinted = false
    var exchanges: [[UInt8]] = []
    for entry in trace.entries {
      switch entry {
      case .comment(let text):
        isPrinted = ["printed: ", "built around printed values: "].contains { text.hasPrefix($0) }
      case .command(let bytes), .answer(let bytes): if isPrinted { exchanges.append(bytes) }
      case .event, .powerCycle: Issue.record("\(name): no example has one")
      }
    }
    return (exchanges, trace.header.random, trace.header)
  }

  @Test(arguments: [
    ("pace-ecdh-gm", "g1"), ("pace-dh-gm", "g2"), ("pace-im", "h1"), ("pace-im-dh", "h2"),
    ("pace-cam", "i1"),
  ])
  func pace(file: String, appendix: String) throws {
    let example = try #require(
      try Vectors.cases(file, of: PACE.self).first { $0.name == "icao-\(appendix)" })
    let trace = try printed("-\(appendix)-")
    #expect(trace.exchanges == example.apdus.flatMap { [$0.cmd.bytes, $0.rsp.bytes] })
    #expect(
      trace.draws == [example.mapSkIfd ?? example.t, example.ephSkIfd].compactMap { $0?.bytes })
    #expect(trace.header.expectation.outcome == .ok)
    // Only the chip of appendix I proves itself.
    #expect(trace.header.expectation.values.contains(.chipMapping("proved")) == (appendix == "i1"))
  }

  @Test func basicAccess() throws {
    let opening = try #require(try Vectors.cases("bac", of: BAC.self).first)
    let reading = try #require(try Vectors.cases("sm-3des", of: Messaging.self).first)
    let trace = try printed("-d-bac")
    let challenge: [[UInt8]] = [
      [0x00, 0x84, 0x00, 0x00, 0x08], opening.rndIc.bytes + [0x90, 0x00],
    ]
    #expect(
      trace.exchanges == challenge + [opening.cmd.bytes, opening.rsp.bytes]
        + reading.exchanges.flatMap { [$0.protectedCmd.bytes, $0.protectedRsp.bytes] })
    #expect(trace.draws == [opening.rndIfd.bytes, opening.kIfd.bytes])
  }
}
