internal import CIECard
internal import RedirectFlow
internal import System

/// An e-mail address and a one-time code, a password, or both, as the native authentication of Microsoft Entra External
/// ID has it: the person types here, and no browser is needed.
///
/// Its entry: `authority`, below which the paths of the interface lie; `clientId`; if wanted, `challengeTypes` (`oob`,
/// `password`; both when absent), `scopes`, `user`, the address of whoever always signs in here, and `issuer`, who signs the
/// tokens, where that is not on the authority's own server.
package struct EmailSignIn: Sendable {
  let authority: RedirectURL
  let clientID: String
  let challengeTypes: [ChallengeType]
  let scopes: [String]
  let user: String?
  let issuer: RedirectURL?

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    authority = try entry.base("authority")
    clientID = try entry.text("clientId")
    let names = try entry.optionalTexts("challengeTypes") ?? ["oob", "password"]
    challengeTypes = names.compactMap(ChallengeType.init)
    guard challengeTypes.count == names.count, !challengeTypes.contains(.redirect) else {
      throw .wrongMember("challengeTypes")
    }
    scopes = try entry.optionalTexts("scopes") ?? ["openid", "profile", "offline_access"]
    user = try entry.optionalText("user")
    issuer = try entry.optionalURL("issuer")
  }

  package func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    let conversation = NativeAuthConversation(self, context)
    let state = SignInState.userNameRequired(
      SignInState.UserNameRequired(context) { name throws(SignInError) in
        try conversation.start(name)
      })
    guard let user else { return state }
    return try conversation.start(user)
  }

  package func refresh(
    _ account: Account, _ context: SignInContext
  ) throws(SignInError) -> Account {
    guard let token = account.tokens?.refresh else { throw SignInError(.refreshTokenExpired) }
    return try NativeAuthConversation(self, context).refresh(account, token)
  }
}

/// How a person shows who they are, in the interface's words.
package enum ChallengeType: String, Sendable, Hashable, CaseIterable {
  /// A code on another way ("out of band").
  case outOfBand = "oob"
  /// A password.
  case password
  /// Not here: in a browser.
  case redirect
}

/// What an e-mail address must have to be sent anywhere: one `@` with something on either side, a point behind it, no
/// white space (5.3.4); what is really one, only its server knows.
enum EmailAddress {
  /// RFC 5321 §4.5.3.1.3.
  static let longest = 254

  /// Whether it can be one.
  static func isPlausible(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= longest, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return false }
    let labels = (parts.last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}
