public import CIECard
internal import Synchronization

/// Progress of a replay; it outlives the channel, which is consumed when a card is opened.
public final class ReplayProgress: Sendable {
  private let fault: Mutex<ChannelError?>

  /// The progress of a replay that has not begun.
  public init() {
    fault = Mutex(.replayMismatch(line: 1, detail: "the replay was not begun"))
  }

  /// Throws unless everything in the trace was used, in order.
  ///
  /// - Throws: `ChannelError.replayMismatch` with the first line that was not reached or not followed.
  public func finish() throws(ChannelError) {
    if let fault = fault.withLock({ $0 }) { throw fault }
  }

  /// The line of the exchange that comes next; nil at the end.
  var nextLine: Int? {
    fault.withLock { if case .replayMismatch(let line, _) = $0 { line } else { nil } }
  }

  /// Sets the error that `finish` will throw; `nil` if everything was used.
  func set(_ fault: ChannelError?) { self.fault.withLock { $0 = fault } }
}

/// The random draws of a trace, repeated in the same order and sizes.
public struct ReplayRandom: RandomSource, Sendable {
  /// Checks at the end that all draws were used.
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
  /// - Throws: `CryptoError` if no draw is left, or if the next one has another size.
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
