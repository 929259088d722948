internal import CIECard
internal import RedirectFlow

/// Where a bank sends the person back to: a door on this machine that opens once.
struct BankReturn: Sendable {
  /// Its address, a secret of this verification.
  let address: RedirectURL
  /// When it closes.
  let end: UTCTime
  private let listener: ReturnListener
  private let context: SignInContext

  init(_ context: SignInContext) throws(SignInError) {
    do throws(ReturnListenerError) {
      // The bank knows no secret of ours but the address.
      listener = try ReturnListener(ReturnPage(context.returnWords)) { !$0.isEmpty }
    } catch { throw SignInError(.listener, correlationID: context.processID) }
    address = listener.address
    end = UTCTime(seconds: context.now().seconds + context.patience.components.seconds)
    self.context = context
    context.onCancel { [listener] in listener.cancel() }
  }

  /// Waits for the bank's code.
  ///
  /// - Throws: `.denied` with the bank's word; `.expired` for a second return; `.timedOut`, `.cancelled`.
  func code() async throws(SignInError) -> String {
    let parameters = try await wait()
    if let word = parameters["error"] {
      throw SignInError(.denied(UntrustedText(word)), correlationID: context.processID)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw SignInError(.exchange(.missingMember("code")), correlationID: context.processID)
    }
    // It becomes a part of a path: whatever a server makes of escapes there, these characters stay what they are.
    guard code.utf8.count <= 512, code.unicodeScalars.allSatisfy(Self.isUnreserved), code != ".",
      code != ".."
    else {
      throw SignInError(.exchange(.wrongMember("code")), correlationID: context.processID)
    }
    return code
  }

  /// RFC 3986 §2.3.
  private static func isUnreserved(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~": true
    default: false
    }
  }

  private func wait() async throws(SignInError) -> [String: String] {
    let (listener, patience) = (listener, context.patience)
    do throws(ReturnListenerError) {
      // Waited for on a thread of its own.
      let items = try await CardActor().run { () throws(ReturnListenerError) in
        try listener.answer(timeout: patience)
      }
      return Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    } catch {
      let reason: SignInError.Reason =
        switch error {
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .ended: .expired
        case .system, .random, .tooManyRequests: .listener
        }
      throw SignInError(reason, correlationID: context.processID)
    }
  }
}
