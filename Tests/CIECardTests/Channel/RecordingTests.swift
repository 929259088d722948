import CIECard
import Synchronization
import TestSupport
import Testing
@testable import Traces

/// The contents of a recording: all bytes of a software card, only the shape of a person's card.
@Suite struct RecordingTests {
  private let commands = [
    "00A4040C0DA0000000308000000009816001", "00B081000C", "00B08500E7",
  ]

  /// Plays the sample through a recorder.
  private func play(into recorder: TraceRecorder) throws {
    let trace = try SampleTrace.parsed()
    var channel = RecordingChannel(ReplayChannel(trace), recorder: recorder)
    var random = RecordingRandom(ReplayRandom(trace), recorder: recorder)
    for draw in trace.header.random { _ = try random.bytes(draw.count) }
    let same = channel.traits == trace.header.traits
    #expect(same)
    recorder.note("SELECT of the root application")
    let selected = try channel.transmit(Hex.bytes(commands[0]))
    recorder.note("READ BINARY of EF.ID_Servizi by short identifier")
    let read = try channel.transmit(Hex.bytes(commands[1]))
    #expect(selected == [0x90, 0x00])
    #expect(read.count == 14)
    #expect(try failure(&channel, Hex.bytes(commands[2])) == .cardRemoved)
  }

  @Test func replayableRecordingEqualsWhatWasPlayed() throws {
    let recorder = TraceRecorder.replayableForVirtualCard()
    try play(into: recorder)
    let trace = try SampleTrace.parsed()
    var header = trace.header
    header.random = []
    let recorded = try #require(recorder.trace(header))
    #expect(recorded == trace)
    #expect(recorder.diagnosticText.isEmpty)
  }

  @Test func ordinaryRecorderGivesNoTrace() throws {
    let recorder = TraceRecorder()
    try play(into: recorder)
    #expect(recorder.trace(try SampleTrace.parsed().header) == nil)
  }

  @Test func diagnosticTextHasTheShapeOnly() throws {
    let recorder = TraceRecorder()
    try play(into: recorder)
    let lines = recorder.diagnosticText.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").map(String.init) }
    try #require(lines.count == 13)
    #expect(lines[1] == ["atr:", "3B8F80018031806549544A3441120FFF82900088"])
    #expect(lines[2] == ["extended:", "1278"])
    #expect(lines[3].isEmpty)
    #expect(lines[5] == [">", "00A4040C", "+14"])
    #expect(lines[6].prefix(3) == ["<", "9000", "+0"])
    #expect(lines[8] == [">", "00B08100", "+1"])
    #expect(lines[9].prefix(3) == ["<", "9000", "+12"])
    #expect(lines[9].count == 5 && Int(lines[9][3]) != nil && lines[9][4] == "ms")
    #expect(lines[11].prefix(2) == ["!", "card-removed"])
    for planted in ["123456789012", "313233", "A000000030", "0102030405060708"] {
      #expect(!recorder.diagnosticText.contains(planted))
    }
  }

  /// A receiver gets the lines so far at once, and each later one before the conversation goes on.
  @Test func linesArePassedOnAtOnce() throws {
    let recorder = TraceRecorder()
    let trace = try SampleTrace.parsed()
    var channel = RecordingChannel(ReplayChannel(trace), recorder: recorder)
    let lines = Mutex<[String]>([])
    recorder.pass { line in lines.withLock { $0.append(line) } }
    #expect(lines.withLock { $0.count } == 4)
    _ = try channel.transmit(Hex.bytes(commands[0]))
    #expect(lines.withLock { $0.joined() } == recorder.diagnosticText)
    #expect(lines.withLock { $0.count } == 6)
  }

  /// A diagnostic record is never read as a trace.
  @Test func diagnosticTextIsNoTrace() throws {
    let recorder = TraceRecorder()
    try play(into: recorder)
    let error = #expect(throws: TraceError.self) {
      try Trace(parsing: [UInt8](recorder.diagnosticText.utf8))
    }
    #expect(error?.kind == .diagnosticRecord)
    #expect(error?.line == 1)
  }
}
