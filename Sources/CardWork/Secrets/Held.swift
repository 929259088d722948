import CIECard
import Synchronization

/// A value on its way to another task or thread, or out of a closure, to be taken once.
package final class Held<Value: ~Copyable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: consuming Value?) { self.value = Mutex(value) }

  package func take() -> Value? { value.withLock { $0.take() } }
}

/// A code on its way to a job.
package typealias HeldCode = Held<AwaitedCode>

extension Held<AwaitedCode> {
  /// - Throws: `missing` the second time.
  package func code() throws(Failure) -> AwaitedCode {
    guard let code = take() else { throw .code(.missing(.pin)) }
    return code
  }
}
