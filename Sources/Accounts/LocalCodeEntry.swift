import CardWork
import Primitives
import Messages
import SignIn

extension RunContext {
  /// The context for questions without a card.
  var atLock: RunContext {
    var context = self
    context.place = "cie-read"
    return context
  }
}

extension AwaitedCode {
  /// The local code that protects the session; asked for now if it is not here yet.
  mutating func localCode(
    of lock: LocalLock.Entering, for flow: LocalLock.Flow, in context: RunContext
  ) throws(Failure) -> LocalCode {
    try CodeForm.localCode(
      resolve(in: context, triesLeft: lock.triesLeft(flow), digits: lock.length))
  }

  /// A new local code, which is kept. A person types it twice, the second time until it is equal or the lock refuses
  /// more.
  mutating func newLocalCode(
    _ choosing: LocalLock.Choosing, digits: Int, in context: RunContext
  ) throws(Failure) -> LocalLock.State {
    let isTyped = isToBeAsked
    let code = try CodeForm.localCode(resolve(in: context, digits: digits))
    guard code.length == digits else { throw .lock(.length(digits)) }
    var step: LocalLock.Repeating
    do throws(LocalLock.Failure) { step = try choosing.choose(code) } catch { throw .lock(error) }
    while true {
      let again =
        isTyped
        ? try Self.askAgain(.newLocalCode, in: context) : try resolve(in: context)
      let outcome: LocalLock.Repeating.Outcome
      do { outcome = try step.repeat(again) } catch { throw .lock(error) }
      switch consume outcome {
      case .kept(let state): return state
      case .differs(let next):
        context.warn(Message("warning.entries-differ"))
        step = next
      }
    }
  }
}

extension CodeForm {
  static func localCode(_ code: consuming Secret) throws(Failure) -> LocalCode {
    do { return try LocalCode(code) } catch { throw .found(Diagnosis(error)) }
  }
}
