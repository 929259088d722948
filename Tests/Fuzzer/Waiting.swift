internal import Dispatch
internal import Synchronization

/// Waits for asynchronous work, on a thread outside the pool.
func finished<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let end = DispatchSemaphore(value: 0)
  let result = Ending<Value>()
  Task {
    do {
      let value = try await work()
      result.store(.success(value))
    } catch {
      result.store(.failure(error))
    }
    end.signal()
  }
  end.wait()
  return try result.get()
}

private final class Ending<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func store(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

  func get() throws -> Value {
    guard let result = result.withLock({ $0 }) else { throw Unfit() }
    return try result.get()
  }
}
