import CIECard
import Synchronization

/// A code on its way to a job, to be used once, also on another thread.
final class HeldCode: Sendable {
  private let code: Mutex<AwaitedCode?>

  init(_ code: consuming AwaitedCode) { self.code = Mutex(code) }

  /// - Throws: `missing` the second time.
  func take() throws(Failure) -> AwaitedCode {
    guard let code = code.withLock({ $0.take() }) else { throw .code(.missing(.pin)) }
    return code
  }
}
