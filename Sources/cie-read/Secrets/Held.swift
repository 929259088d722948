import CIECard
import Synchronization

/// A value on its way to another task or thread, or out of a closure, to be taken once.
final class Held<Value: ~Copyable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming Value?) { self.value = Mutex(value) }

  func take() -> Value? { value.withLock { $0.take() } }
}

/// A code on its way to a job.
typealias HeldCode = Held<AwaitedCode>

extension Held<AwaitedCode> {
  /// - Throws: `missing` the second time.
  func code() throws(Failure) -> AwaitedCode {
    guard let code = take() else { throw .code(.missing(.pin)) }
    return code
  }
}
