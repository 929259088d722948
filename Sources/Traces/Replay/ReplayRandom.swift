public import CIECard
internal import Synchronization

/// How far a replay has come; it outlives the channel, which an opened card takes away from its caller.
public final class ReplayProgress: Sendable {
  private let fault: Mutex<ChannelError?>

  /// That of a replay which has not begun.
  public init() {
    fault = Mutex(.replayMismatch(line: 1, detail: "the replay was not begun"))
  }

  /// Throws unless everything in the trace was used, in order.
  ///
  /// - Throws: `ChannelError.replayMismatch` with the first line that was not reached or not followed.
  public func finish() throws(ChannelError) {
    if let fault = fault.withLock({ $0 }) { throw fault }
  }

  /// What `finish` will say from now on; `nil` when nothing is left.
  func set(_ fault: ChannelError?) { self.fault.withLock { $0 = fault } }
}

/// The terminal's random draws of a trace, given out again in the same order and sizes.
public struct ReplayRandom: RandomSource, Sendable {
  /// Keep this to ask at the end whether all draws were used.
  public let progress: ReplayProgress
  private let draws: [[UInt8]]
  private let firstLine: Int
  private var used = 0

  /// A source at the first draw of a trace.
  public init(_ trace: Trace) {
    draws = trace.header.random
    firstLine = 1 + (trace.header.lines.firstIndex { $0.0 == .random } ?? 0)
    progress = ReplayProgress()
    progress.set(leftover)
  }

  /// Gives the next draw.
  ///
  /// - Throws: `CryptoError` when none is left, or when it was a draw of another size.
  public mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard !buffer.isEmpty else { return }
    guard draws.indices.contains(used) else {
      throw CryptoError("replayed random", reason: "the trace has no draw left")
    }
    let draw = draws[used]
    guard draw.count == buffer.count else {
      throw CryptoError(
        "replayed random",
        reason: "draw \(used + 1) has \(draw.count) bytes, not \(buffer.count)")
    }
    buffer.copyBytes(from: draw)
    used += 1
    progress.set(leftover)
  }

  private var leftover: ChannelError? {
    guard used < draws.count else { return nil }
    return .replayMismatch(
      line: firstLine + used, detail: "\(draws.count - used) random draws not used")
  }
}
