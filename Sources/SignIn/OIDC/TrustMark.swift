/// Trust marks: statements of an authority that an entity complies with rules (OpenID Federation §7).
extension EntityStatement {
  private static let markLimit = 16

  /// Finds a trust mark issued by the anchor itself, and verifies it.
  ///
  /// - Throws: `markMissing`, or the reason why verification failed.
  func proveMark(
    _ mark: String, of anchor: String, with keys: KeySet, now: UTCTime
  ) throws(SignInError) {
    guard case .array(let marks)? = claims["trust_marks"] else { throw .federation(.markMissing) }
    // Members beside the token only select the mark: `id` in CIE's rules, later `trust_mark_type`.
    let own = marks.prefix(Self.markLimit).filter {
      $0["id"]?.text == mark || $0["trust_mark_type"]?.text == mark
    }
    guard let token = own.first?["trust_mark"]?.text else { throw .federation(.markMissing) }
    do throws(SignInError) {
      let said = try TokenVerifier(keys: keys).claims(signedIn: token, types: ["trust-mark+jwt"])
      guard try said.requiredText("iss") == anchor else { throw .token(.issuerWrong) }
      guard try said.requiredText("sub") == subject else { throw .token(.subjectWrong) }
      let names = [try said.text("id"), try said.text("trust_mark_type")]
      guard names.contains(mark) else { throw .token(.claimMalformed("id")) }
      try said.checkIssue(now)
      try said.checkEnd(now)
    } catch {
      throw error.ofStatement
    }
  }
}
