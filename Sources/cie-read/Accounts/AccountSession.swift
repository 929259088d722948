import CIECard
import Glibc
import Messages
import RedirectFlow
import SignIn
import System

/// The account that is kept on this machine.
enum AccountSession {
  /// Where it is kept.
  ///
  /// - Throws: `.store` where the environment names no folder of the user.
  static func keeper() throws(SignInError) -> AccountKeeper {
    guard
      let folder = SessionStore.usualFolder({ name in getenv(name).map { String(cString: $0) } })
    else { throw SignInError(.store(.folder(.system(SystemError(ENOENT))))) }
    return AccountKeeper(SessionStore(folder: folder))
  }

  /// The way to a service's servers, for a person who speaks this language.
  static func context(
    _ description: ServiceDescription, service: String, _ timeout: Duration, _ session: Session
  ) throws(SignInError) -> SignInContext {
    try SignInContext(
      service: service, trust: description.trust, timeout: timeout, returnWords: words(session))
  }

  /// What a page of this machine says.
  static func words(_ session: Session) -> LoginConfiguration.ReturnWords {
    var words = LoginConfiguration.ReturnWords()
    words.language = session.language.rawValue
    words.title = "cie-read"
    words.accepted = Message("app.returned")(session.language)
    words.refused = Message("app.not-valid")(session.language)
    return words
  }

  /// The same for an account that is kept.
  static func context(
    _ timeout: Duration, _ session: Session
  ) -> @Sendable (SignedIn) throws(SignInError) -> SignInContext {
    { (signedIn) throws(SignInError) in
      try context(
        try signedIn.description(), service: signedIn.account.service, timeout, session)
    }
  }

  /// Who is signed in, for what shows the person's data: a local code that is set must have been entered.
  static func unlocked() throws(Failure) -> SignedIn {
    try LocalLock.admitUser()
    return try current()
  }

  /// Who is signed in.
  static func current() throws(Failure) -> SignedIn {
    do throws(SignInError) { return try keeper().current() } catch { throw .signIn(error) }
  }
}

extension Account {
  /// What scripts get of it; no token is among it.
  func members(_ protection: SessionProtection?, showsClaims: Bool) -> [JSON.Member] {
    [
      .init("state", "userAuth"), .init("service", service), .init("method", method),
      .init("since", begun.description), .init("expires", expires?.description),
      .init("claims", .array(claims.all.map { .string($0.name) })),
    ] + (protection.map { [.init("protection", $0.rawValue)] } ?? [])
      + (showsClaims ? claims.members : [])
  }
}

extension AccountClaims {
  /// The 17 fields, and all claims under the provider's names, with their values.
  var members: [JSON.Member] {
    [
      .init("fields", .object(AccountField.allCases.map { .init($0.rawValue, self[$0]) })),
      .init("claimValues", json),
    ]
  }

  /// For people: a line a claim, or their names alone.
  func lines(showsValues: Bool, _ language: Language) -> [String] {
    guard !all.isEmpty else { return [] }
    guard showsValues else {
      let names = all.map(\.name).joined(separator: ", ")
      return [Message("login.told", ["names": names])(language)]
    }
    return all.map {
      let value = $0.values.joined(separator: ", ")
      return "  " + Message("labelled", ["label": $0.name, "value": value])(language)
    }
  }
}
