internal import CIECard

extension Module {
  /// Logs in with PIN or PUK (C_Login).
  ///
  /// - Parameter code: `nil` when it has not eight bytes. What is not eight digits is wrong, and the card is not asked:
  ///   hosts have sent texts that were typed for another window.
  func logIn(_ handle: UInt, _ user: User, _ code: consuming Secret?) throws(ReturnValue) {
    try refresh()
    let (slot, insertion) = try with { (tables) throws(ReturnValue) in
      try tables.prepareLogin(handle, user)
    }
    let login = Login(handle: handle, slot: slot, insertion: insertion, keeper: try keeper(slot))
    guard let code else { throw explain(.noDigits, in: slot) }
    do throws(CardFailure) {
      switch user {
      case .user: try verify(PIN(checking: code), login)
      case .securityOfficer: try verify(PUK(checking: code), login)
      case .contextSpecific: throw CardFailure(.operationNotInitialized, "no key asks for that")
      }
    } catch {
      note(error.triesLeft, of: user == .user ? .pin : .puk, login)
      throw explain(error, in: slot)
    }
  }

  /// Ends a login (C_Logout).
  func logOut(_ handle: UInt) throws(ReturnValue) {
    let (session, slot) = try with { (tables) throws(ReturnValue) in try tables.session(handle) }
    guard slot.login != .nobody else { throw .userNotLoggedIn }
    try logOut(slot: session.slot)
  }

  /// Ends the login to a token, if there is one.
  func logOut(slot: Int) throws(ReturnValue) {
    try keeper(slot).letGo { [self] in forgetLogin(slot) }
  }

  private func verify(_ pin: consuming PIN, _ login: Login) throws(CardFailure) {
    var code: PIN? = consume pin
    try login.keeper.withCard { (held) throws(CardFailure) in
      try self.requireWanted(login, .user)
      guard let pin = code.take() else { return }
      let card = try login.keeper.open(login.insertion.reader, &held)
      let objects: TokenObjects?
      do throws(CardError) {
        let authenticated = try card.authenticate(checking: login.keeper.terms.check)
        log?.write("slot \(login.slot): chip: \(authenticated.genuineness)")
        var verified = try authenticated.verify(pin)
        objects = TokenObjects(try verified.readCertificate())
        held.keep(verified)
      } catch { throw CardFailure(error) }
      guard let objects else { throw CardFailure(.deviceError, "the certificate has no RSA key") }
      try self.grant(login, &held) { slot in
        slot.login = .user
        slot.objects = objects
        slot.pinTries = nil
      }
    }
  }

  private func verify(_ puk: consuming PUK, _ login: Login) throws(CardFailure) {
    var code: PUK? = consume puk
    try login.keeper.withCard { (held) throws(CardFailure) in
      try self.requireWanted(login, .securityOfficer)
      guard let puk = code.take() else { return }
      let card = try login.keeper.open(login.insertion.reader, &held)
      do throws(CardError) {
        let authenticated = try card.authenticateForPUK(checking: login.keeper.terms.check)
        log?.write("slot \(login.slot): chip: \(authenticated.genuineness)")
        held.keep(try authenticated.verify(puk))
      } catch { throw CardFailure(error) }
      try self.grant(login, &held) { slot in
        slot.login = .securityOfficer
        slot.pukTries = nil
      }
    }
  }

  /// Another thread may have logged in, or closed the session, while this one waited for its turn.
  private func requireWanted(_ login: Login, _ user: User) throws(CardFailure) {
    do throws(ReturnValue) {
      let now = try with { (tables) throws(ReturnValue) in
        try tables.prepareLogin(login.handle, user)
      }
      guard now.1 == login.insertion else { throw .deviceRemoved }
    } catch { throw CardFailure(error, "not wanted any more") }
  }

  /// Notes that somebody is logged in, if card and session are still those.
  private func grant(
    _ login: Login, _ held: inout CardKeeper.Held, _ change: (inout Slot) -> Void
  ) throws(CardFailure) {
    do throws(CardFailure) {
      try login.keeper.watchTime(&held)
      try granting { () throws(ReturnValue) in
        try with { (tables) throws(ReturnValue) in
          _ = try tables.session(login.handle)
          let isThere = tables.update(login.slot, if: login.insertion, change)
          guard isThere else { throw .deviceRemoved }
        }
      }
    } catch {
      login.keeper.letGo(&held)
      throw error
    }
  }

  private func granting(_ body: () throws(ReturnValue) -> Void) throws(CardFailure) {
    do throws(ReturnValue) { try body() } catch {
      throw CardFailure(error, "session or card are gone")
    }
  }
}

/// A login under way.
struct Login: Sendable {
  let handle: UInt
  let slot: Int
  let insertion: Slot.Insertion
  let keeper: CardKeeper
}
