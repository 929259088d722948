internal import Synchronization

/// Ends a login from another thread.
///
/// A running exchange hears of it within a second; the card is not asked for anything afterwards.
public final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  /// A token that is not cancelled.
  public init() {}

  /// Whether `cancel` was called.
  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends what runs with this token, for good.
  public func cancel() { cancelled.store(true, ordering: .releasing) }
}
