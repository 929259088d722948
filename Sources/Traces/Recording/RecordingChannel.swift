public import CIECard

/// A channel that records every exchange and changes nothing.
///
/// It stands below the secure channel: it sees the bytes on the wire, so never a PIN in clear.
public struct RecordingChannel<Inner: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  private var inner: Inner
  private let recorder: TraceRecorder

  /// Those of the wrapped channel.
  public var traits: ChannelTraits { inner.traits }

  /// Wraps a channel and records its exchanges.
  public init(_ inner: consuming Inner, recorder: TraceRecorder) {
    recorder.begin(inner.traits)
    self.inner = inner
    self.recorder = recorder
  }

  /// Sends through the wrapped channel; answer and error are returned unchanged.
  public mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    recorder.record(command: command)
    let start = ContinuousClock.now
    do throws(ChannelError) {
      let answer = try inner.transmit(command)
      recorder.record(answer: answer, after: .now - start)
      return answer
    } catch {
      recorder.record(error: error, after: .now - start)
      throw error
    }
  }

  /// Recorded only if the card was really powered off.
  public mutating func powerCycle() throws(ChannelError) -> Bool {
    guard try inner.powerCycle() else { return false }
    recorder.recordPowerCycle()
    return true
  }
}

/// A random source whose draws are recorded, if the recorder is replayable.
struct RecordingRandom<Inner: RandomSource>: RandomSource {
  private var inner: Inner
  private let recorder: TraceRecorder

  init(_ inner: Inner, recorder: TraceRecorder) {
    self.inner = inner
    self.recorder = recorder
  }

  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard !buffer.isEmpty else { return }
    try inner.fill(buffer)
    recorder.record(draw: [UInt8](buffer))
  }
}
