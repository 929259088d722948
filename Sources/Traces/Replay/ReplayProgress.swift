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
