package import CIECard
package import RedirectFlow

/// Where a person's browser comes back to: a door on this machine that opens once.
package struct BrowserReturn: Sendable {
  /// What opens it, with its addresses, which are secrets of this sign-in.
  package let listener: ReturnListener
  /// When it closes.
  package let end: UTCTime
  private let patience: Duration

  /// Opens it; it closes when the sign-in is ended.
  ///
  /// - Parameter isRight: whether these are the parameters of the answer that is waited for.
  /// - Throws: `.listener`.
  package init(
    _ context: SignInContext, answer isRight: @escaping @Sendable ([QueryItem]) -> Bool
  ) throws(SignInError) {
    do throws(ReturnListenerError) {
      listener = try ReturnListener(ReturnPage(context.returnWords), answer: isRight)
    } catch { throw SignInError(.listener) }
    end = context.endOfPatience
    patience = context.patience
    context.onCancel { [listener] in listener.cancel() }
  }

  /// What comes back, waited for on a thread of its own.
  ///
  /// - Parameter page: what the browser is given before, once.
  /// - Throws: `.timedOut`, `.cancelled`; `.expired` for a second wait.
  package func answer(serving page: FormPage? = nil) async throws(SignInError) -> [QueryItem] {
    let (listener, patience) = (listener, patience)
    do throws(ReturnListenerError) {
      return try await CardActor().run { () throws(ReturnListenerError) in
        try listener.answer(timeout: patience, serving: page)
      }
    } catch {
      switch error {
      case .cancelled: throw SignInError(.cancelled)
      case .timedOut: throw SignInError(.timedOut)
      case .ended: throw SignInError(.expired)
      case .system, .random, .tooManyRequests: throw SignInError(.listener)
      }
    }
  }
}
