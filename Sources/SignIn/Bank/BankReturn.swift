/// Return of the person's browser from a bank.
struct BankReturn: Sendable {
  let door: BrowserReturn
  private let context: SignInContext

  init(_ context: SignInContext, at place: ReturnPlace) throws(SignInError) {
    self.context = context
    do throws(SignInError) {
      door = try BrowserReturn(context, at: place, state: try SignInContext.randomText(43))
    } catch { throw SignInError(error.cause, correlationID: context.processID) }
  }

  /// Waits for the bank's code.
  ///
  /// - Throws: `.denied` with the bank's error code; `.expired` for a second return; `.timedOut`, `.cancelled`.
  func code() throws(SignInError) -> String {
    let parameters = try wait()
    if let word = parameters["error"] {
      throw SignInError(.denied(UntrustedText(word)), correlationID: context.processID)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw SignInError(.exchange(.missingMember("code")), correlationID: context.processID)
    }
    // The code becomes a path segment: unreserved characters only, because servers differ in decoding escapes.
    guard code.utf8.count <= 512, code.unicodeScalars.allSatisfy(Self.isUnreserved), code != ".",
      code != ".."
    else {
      throw SignInError(.exchange(.wrongMember("code")), correlationID: context.processID)
    }
    return code
  }

  /// True for unreserved characters (RFC 3986 §2.3).
  private static func isUnreserved(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~": true
    default: false
    }
  }

  private func wait() throws(SignInError) -> BrowserReturn.Answer {
    do throws(SignInError) { return try door.answer() } catch {
      throw SignInError(error.cause, correlationID: context.processID)
    }
  }
}
