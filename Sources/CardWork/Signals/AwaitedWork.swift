import Glibc
import Synchronization
import Primitives

/// Asynchronous work, for which the main thread waits while it watches for signals.
package enum AwaitedWork {
  /// Runs it to its end.
  ///
  /// - Parameter cancel: ends it early, from another thread; the work then finishes by itself.
  /// - Returns: its result, also after a signal.
  package static func value<Value: Sendable, Failed: Error>(
    until interruption: Interruption, cancel: () -> Void,
    _ body: @escaping @Sendable () async throws(Failed) -> Value
  ) throws(Failed) -> Value {
    let end = WorkEnd<Result<Value, Failed>>()
    Task {
      do throws(Failed) { end.tell(.success(try await body())) } catch { end.tell(.failure(error)) }
    }
    do throws(Failure) { try interruption.wait(until: end.descriptor, .readable) } catch {
      // The first signal ends waiting and lets the card answer; then the work ends by itself.
      cancel()
    }
    return try end.wait().get()
  }
}

/// The place for the result of work, and a descriptor that can be read from then on.
private final class WorkEnd<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let pipe = try? Pipe()

  package var descriptor: Int32 { pipe?.reading ?? -1 }

  package func tell(_ value: Value) {
    result.withLock { $0 = value }
    _ = write(pipe?.writing ?? -1, [0 as UInt8], 1)
  }

  package func wait() -> Value {
    while true {
      if let value = result.withLock({ $0 }) { return value }
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      poll(&descriptors, 1, -1)
    }
  }

  deinit { pipe?.close() }
}
