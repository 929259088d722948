import CIECard
@testable import Traces
import TestSupport
import Testing

/// Every trace, replayed without hardware.
@Suite struct ReplayAllTests {
  @Test(
    arguments: try ["virtual", "attack", "option", "spec"].flatMap { try TraceFile.all(in: $0) })
  func endsAsItsHeaderSays(file: TraceFile) throws {
    let bytes = try file.bytes()
    let trace = try Trace(parsing: bytes)
    #expect([UInt8](trace.text.utf8) == bytes)
    let progress = ReplayProgress()
    let channel = ReplayChannel(trace, progress: progress)
    var random = ReplayRandom(trace)
    let time = try #require(trace.header.time)
    let end = JourneyRunner(trace.header.journey, at: time).end(over: channel, random: &random)
    #expect(end == trace.header.expectation)
    try progress.finish()
    try random.progress.finish()
  }

  /// A hundred replays send the same bytes, those of the trace, and draw the same numbers.
  @Test(
    arguments: [
      "spec/doc-9303-11-g1-pace-ecdh-gm", "virtual/gemalto-nis", "attack/wrong-mac-22-3-sign",
    ])
  func hundredReplaysAreOne(path: String) throws {
    let trace = try Trace(parsing: TraceFile.at(path).bytes())
    for _ in 0..<100 {
      let recorder = TraceRecorder.replayableForVirtualCard()
      var random = RecordingRandom(ReplayRandom(trace), recorder: recorder)
      let channel = RecordingChannel(ReplayChannel(trace), recorder: recorder)
      _ = JourneyRunner(trace.header.journey, at: try #require(trace.header.time))
        .end(over: channel, random: &random)
      let again = try #require(recorder.trace(trace.header))
      #expect(again.header.random == trace.header.random)
      #expect(
        again.entries == trace.entries.filter { if case .comment = $0 { false } else { true } })
    }
  }

  /// Half the traces are attacks, and no attack gets a signature.
  @Test func attacks() throws {
    let good = try TraceFile.all(in: "virtual").count
    let bad = try TraceFile.all(in: "attack")
    #expect(bad.count * 3 > good * 2)
    for file in bad {
      let expectation = try Trace(parsing: file.bytes()).header.expectation
      let signed = expectation.values.contains {
        if case .signatureHash = $0 { true } else { false }
      }
      #expect(!signed || file.name.hasPrefix("delay"), "\(file)")
    }
  }

  /// A replay with another PIN leaves the trace exactly at VERIFY: the test above can fail.
  @Test func anotherPINLeavesTheTrace() throws {
    for file in try TraceFile.all(in: "virtual") where file.name.hasSuffix("-verify-pin") {
      let trace = try Trace(parsing: file.bytes())
      var random = ReplayRandom(trace)
      let end = JourneyRunner(.verifyPIN(pin: "00000000"), at: 0)
        .end(over: ReplayChannel(trace), random: &random)
      #expect(end.outcome == .error(name: "channel-replay-mismatch", step: .verifyPIN))
    }
  }
}
