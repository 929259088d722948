import Dispatch
import Glibc
import Primitives
import Synchronization

extension Interruption {
  /// Makes a system call on a descriptor as soon as it would not block.
  ///
  /// - Parameter failure: the error for a call that fails with this error number.
  /// - Throws: `interrupted`, or `failure`.
  func once<Result>(
    _ descriptor: Int32, _ readiness: Readiness, _ failure: (CInt) -> Failure,
    _ call: (FileDescriptor) throws(SystemError) -> Result
  ) throws(Failure) -> Result {
    while true {
      try wait(until: descriptor, readiness)
      do throws(SystemError) { return try call(FileDescriptor(descriptor)) } catch {
        guard error.code == EAGAIN else { throw failure(error.code) }
      }
    }
  }

  /// Reads a line, without its LF or CR LF, byte by byte, so that the bytes after it are left for other readers.
  ///
  /// - Parameter limit: the most bytes; of a longer line, the rest is left.
  package func line(
    _ descriptor: Int32, atMost limit: Int, _ failure: (CInt) -> Failure
  ) throws(Failure) -> String {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let next = try once(descriptor, .readable, failure) { (file) throws(SystemError) in
        try file.read(atMost: 1)
      }
      guard let byte = next.first, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

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

  var descriptor: Int32 { pipe?.reading ?? -1 }

  func tell(_ value: Value) {
    result.withLock { $0 = value }
    _ = write(pipe?.writing ?? -1, [0 as UInt8], 1)
  }

  func wait() -> Value {
    while true {
      if let value = result.withLock({ $0 }) { return value }
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      poll(&descriptors, 1, -1)
    }
  }

  deinit { pipe?.close() }
}

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
