import CIECard
import CardWork
import Primitives
import Synchronization

/// The PIN that a running request asks its window for: the person sees the receiver of the certificate first.
final class PageCode: Sendable {
  private struct Question {
    /// The end of a pipe by which the request learns of the answer.
    let signal: CInt
    var answer: HeldCode?
  }

  private let question = Mutex<Question?>(nil)

  /// The members of the event by which a page is asked.
  static func members(_ purpose: [String]) -> [JSON.Member] { [.init("purpose", purpose)] }

  /// Waits for the PIN, until the request is cancelled.
  ///
  /// - Parameter show: shows the person the purpose, and asks.
  func ask(
    in context: RunContext, _ show: (_ purpose: [String]) -> Void
  ) throws(Failure) -> Secret {
    func failure(_ code: CInt) -> Failure { .code(.unreadable(.pin, errno: code)) }
    let pipe = try mapError(try Pipe()) { (error: SystemError) in failure(error.code) }
    question.withLock { $0 = Question(signal: pipe.writing) }
    defer {
      question.withLock { $0 = nil }
      pipe.close()
    }
    show(context.purpose.elements)
    _ = try context.interruption.line(pipe.reading, atMost: 1, failure)
    guard let answer = question.withLock({ $0?.answer }) else { throw .code(.missing(.pin)) }
    var code = try answer.code()
    return try code.take(in: context)
  }

  /// Gives the PIN to the request that waits for it.
  ///
  /// - Returns: `false` if none waits.
  func give(_ code: HeldCode) -> Bool {
    question.withLock { question in
      guard let signal = question?.signal, question?.answer == nil else { return false }
      question?.answer = code
      return (try? FileDescriptor(signal).writeAll([UInt8(ascii: "\n")])) != nil
    }
  }
}
