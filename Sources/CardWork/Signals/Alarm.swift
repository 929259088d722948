import Dispatch

/// A timer that rings at a time, and again after each interval, as long as this value is there.
///
/// A block of `asyncAfter` stays in memory until its time, also when its work is over: a service would collect them.
final class Alarm: @unchecked Sendable {
  // Unchecked: a source may be cancelled from any thread (dispatch_source_cancel(3)).
  private let source: any DispatchSourceTimer

  /// - Parameters:
  ///   - seconds: the time until it rings at first.
  ///   - interval: that between two rings, in seconds.
  init(
    on queue: DispatchQueue, after seconds: Int, thenEvery interval: Int,
    ring: @escaping @Sendable () -> Void
  ) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(interval))
    source.setEventHandler(handler: ring)
    source.resume()
  }

  func cancel() { source.cancel() }

  deinit { source.cancel() }
}
