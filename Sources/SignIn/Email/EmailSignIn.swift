/// Sign-in with an e-mail address and a one-time code, a password, or both, by the native authentication of Microsoft
/// Entra External ID: the person types in this program, without a browser.
struct EmailSignIn: Sendable {
  let authority: RedirectURL
  let clientID: String
  let challengeTypes: [ChallengeType]
  let scopes: [String]
  let user: String?
  let issuer: RedirectURL?

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    authority = try entry.base("authority")
    clientID = try entry.text("clientId")
    let names = try entry.optionalTexts("challengeTypes") ?? ["oob", "password"]
    challengeTypes = names.compactMap(ChallengeType.init)
    guard challengeTypes.count == names.count, !challengeTypes.contains(.redirect) else {
      throw .of(.wrongMember("challengeTypes"))
    }
    scopes = try entry.optionalTexts("scopes") ?? ["openid", "profile", "offline_access"]
    user = try entry.optionalText("user")
    issuer = try entry.optionalURL("issuer")
  }

  func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    let conversation = NativeAuthConversation(self, context)
    guard let user else { return conversation.nameState }
    return try context.correlated(try conversation.start(user))
  }

  func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    guard let token = account.tokens?.refresh else { throw SignInError(.refreshTokenExpired) }
    return try context.correlated(
      try NativeAuthConversation(self, context).refresh(account, token))
  }
}

/// Challenge type, in the interface's words.
enum ChallengeType: String, Sendable, Hashable, CaseIterable {
  /// One-time code by another channel ("out of band").
  case outOfBand = "oob"
  case password
  /// Not possible here, only in a browser.
  case redirect
}

/// Syntax check of an e-mail address before a request: one `@` with text on both sides, a dot in the domain, no white
/// space (5.3.4); only its server knows if it exists.
enum EmailAddress {
  /// Maximum length in bytes (RFC 5321 §4.5.3.1.3).
  static let longest = 254

  static func isPlausible(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= longest, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return false }
    let labels = (parts.last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}
