internal import CIECard
internal import RedirectFlow

/// Where a bank sends the person back to.
struct BankReturn: Sendable {
  private let door: BrowserReturn
  private let context: SignInContext

  init(_ context: SignInContext) throws(SignInError) {
    self.context = context
    do throws(SignInError) {
      // The bank knows no secret of ours but the address.
      door = try BrowserReturn(context) { !$0.isEmpty }
    } catch { throw SignInError(error.reason, correlationID: context.processID) }
  }

  /// Its address, a secret of this verification.
  var address: RedirectURL { door.listener.address }
  /// When it closes.
  var end: UTCTime { door.end }

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
    let items: [QueryItem]
    do throws(SignInError) { items = try await door.answer() } catch {
      throw SignInError(error.reason, correlationID: context.processID)
    }
    return Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
