/// Return of the person's browser from a bank.
extension BrowserReturn {
  /// Waits for the bank's code.
  ///
  /// - Throws: `.denied` with the bank's error code; `.expired` for a second return; `.timedOut`, `.cancelled`.
  func bankCode() throws(SignInError) -> String {
    let parameters = try answer()
    if let word = parameters["error"] { throw SignInError(.denied(UntrustedText(word))) }
    guard let code = parameters["code"], !code.isEmpty else {
      throw SignInError(.exchange(.missingMember("code")))
    }
    // The code becomes a path segment: unreserved characters only, because servers differ in decoding escapes.
    guard code.utf8.count <= 512, code.utf8.allSatisfy(ASCII.isUnreserved), code != ".",
      code != ".."
    else { throw SignInError(.exchange(.wrongMember("code"))) }
    return code
  }
}
