internal import CIECard
internal import Glibc
internal import Synchronization
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
    let begin = ThreadClock.milliseconds
    _ = try JourneyRunner(
      journey, at: Self.time, checking: check,
      report: { step in marks.withLock { $0.append((step, stopwatch.commands)) } }
    ).run(
      over: TimedChannel(
        VirtualCardChannel(card, extendedLength: extendedLength), stopwatch: stopwatch),
      random: &random)
    hostMilliseconds = ThreadClock.milliseconds - begin - stopwatch.milliseconds
    log = card.log
    let begun = marks.withLock { $0 }
    let ends = begun.dropFirst().map(\.before) + [log.entries.count]
    steps = zip(begun, ends).map { ($0.step, $1 - $0.before) }
  }
}

/// CPU time of the calling thread.
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

/// A channel that measures the time of the other side.
private struct TimedChannel<Inner: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  private var inner: Inner
  private let stopwatch: Stopwatch

  init(_ inner: consuming Inner, stopwatch: Stopwatch) {
    self.inner = inner
    self.stopwatch = stopwatch
  }

  var traits: ChannelTraits { inner.traits }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    let begin = ThreadClock.milliseconds
    defer { stopwatch.add(ThreadClock.milliseconds - begin) }
    return try inner.transmit(command)
  }

  mutating func powerCycle() throws(ChannelError) -> Bool { try inner.powerCycle() }
}

/// The assumed costs of a card's work, to compare conversations without measuring a card.
///
/// The defaults are assumptions, not measurements of a CIE: a command costs 8 ms in reader, bus and card, bytes travel
/// at 424 kbit/s with ten bits each (ISO/IEC 14443-3 type B), and the arithmetic of a chip of that age. PACE with
/// generic mapping costs the card five exponentiations or point multiplications (its mapping key, the nonce's, the
/// common one, then its second key and the agreed one), chip authentication one; ciphers, hashes and the writing of
/// files count as part of the command.
struct CostModel {
  /// Milliseconds for a command, whatever its instruction.
  var perCommand = 8.0
  /// Milliseconds for a byte, in either direction.
  var perByte = 10.0 / 424
  /// Milliseconds for a private RSA operation of 2048 bits.
  var perPrivateOperation = 180.0
  /// Milliseconds for a public RSA operation of 2048 bits.
  var perPublicOperation = 20.0
  /// Milliseconds for an exponentiation of Diffie–Hellman.
  var perExponentiation = 250.0
  /// Milliseconds for a multiplication of a point on a curve of 256 bits.
  var perMultiplication = 60.0

  /// The modelled time of a conversation in milliseconds.
  func time(of measurement: Measurement) -> Double {
    let counters = measurement.log.counters
    return Double(measurement.log.entries.count) * perCommand
      + Double(measurement.log.bytesReceived + measurement.log.bytesSent) * perByte
      + Double(counters.rsaPrivateOperations) * perPrivateOperation
      + Double(counters.rsaPublicOperations) * perPublicOperation
      + Double(counters.dhExponentiations) * perExponentiation
      + Double(counters.curveMultiplications) * perMultiplication
  }
}
