internal import CIECard
internal import Glibc
internal import Synchronization
import TraceScenarios
internal import Traces
internal import VirtualCIE

/// One journey over the software card: the bytes on the wire, the card's work, the host's time.
struct Measurement {
  let log: CardLog
  /// CPU time of the host's side in milliseconds, without the software card's share.
  let hostMilliseconds: Double
  let steps: [(step: CardError.Step, commands: Int)]

  /// The time at which certificates are judged: 2026-11-21T00:00:00Z.
  static let time: UTCTime = 1_795_219_200

  /// Runs a journey on a fresh card.
  init(
    _ journey: Trace.Journey, persona: Persona, extendedLength: ChannelTraits.ExtendedLength?,
    checking check: GenuineCheck
  ) throws(CardError) {
    try self.init(
      journey, on: VirtualCard(persona: persona), extendedLength: extendedLength, checking: check)
  }

  init(
    _ journey: Trace.Journey, on card: VirtualCard, extendedLength: ChannelTraits.ExtendedLength?,
    checking check: GenuineCheck = .skipped
  ) throws(CardError) {
    let stopwatch = Stopwatch()
    let marks = Mutex<[(step: CardError.Step, before: Int)]>([])
    var random = SystemRandom()
    let channel = InterposedChannel(VirtualCardChannel(card, extendedLength: extendedLength)) {
      (_, send) throws(ChannelError) in
      let begin = ThreadClock.milliseconds
      defer { stopwatch.add(ThreadClock.milliseconds - begin) }
      return try send()
    }
    let begin = ThreadClock.milliseconds
    _ = try JourneyRunner(
      journey, at: Self.time, checking: check,
      report: { step in marks.withLock { $0.append((step, stopwatch.commands)) } }
    ).run(over: channel, random: &random)
    hostMilliseconds = ThreadClock.milliseconds - begin - stopwatch.milliseconds
    log = card.log
    let begun = marks.withLock { $0 }
    let ends = begun.dropFirst().map(\.before) + [log.entries.count]
    steps = zip(begun, ends).map { ($0.step, $1 - $0.before) }
  }
}

private enum ThreadClock {
  static var milliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}

/// The CPU time of the card's side of a channel, and its commands; it outlives the channel.
private final class Stopwatch: Sendable {
  private let sum = Mutex((milliseconds: 0.0, commands: 0))

  var milliseconds: Double { sum.withLock { $0.milliseconds } }
  var commands: Int { sum.withLock { $0.commands } }

  func add(_ milliseconds: Double) {
    sum.withLock { $0 = ($0.milliseconds + milliseconds, $0.commands + 1) }
  }
}
