internal import CIECard

extension Module {
  /// Logs in with PIN or PUK (C_Login).
  ///
  /// - Parameter code: `nil` if its length is not eight. Anything but eight digits counts as wrong
  ///   and is not sent to the card: hosts have passed on texts that were typed for another window.
  func logIn(_ handle: UInt, _ user: User, _ code: consuming Secret?) throws(ReturnValue) {
    try refresh()
    let (slot, insertion) = try with { (tables) throws(ReturnValue) in
      try tables.prepareLogin(handle, user)
    }
    let login = Login(handle: handle, slot: slot, insertion: insertion, keeper: try keeper(slot))
    guard let code else { throw login.noDigits() }
    switch user {
    case .user:
      guard let pin = try? PIN(code) else { throw login.noDigits() }
      try verify(pin, login)
    case .securityOfficer:
      guard let puk = try? PUK(code) else { throw login.noDigits() }
      try verify(puk, login)
    case .contextSpecific:
      throw login.keeper.failed(.operationNotInitialized, "no key asks for that")
    }
  }

  func logOut(_ handle: UInt) throws(ReturnValue) {
    let (session, slot) = try with { (tables) throws(ReturnValue) in try tables.session(handle) }
    guard slot.login != .nobody else { throw .userNotLoggedIn }
    try logOut(slot: session.slot)
  }

  /// Ends the login to a token, if there is one.
  func logOut(slot: Int) throws(ReturnValue) {
    try keeper(slot).release { [self] in forgetLogin(slot) }
  }

  private func verify(_ pin: consuming PIN, _ login: Login) throws(ReturnValue) {
    var code: PIN? = consume pin
    try login.keeper.withCard { (held) throws(ReturnValue) in
      try self.requireWanted(login, .user)
      guard let pin = code.take() else { return }
      let card = try self.open(login, &held)
      let objects: TokenObjects?
      do throws(CardError) {
        let authenticated = try card.authenticate(
          checking: login.keeper.terms.check, remembering: tries)
        note(authenticated.counter, login)
        log?.write("slot \(login.slot): chip: \(authenticated.genuineness)")
        var verified = try authenticated.verify(pin)
        objects = TokenObjects(try verified.readCertificate())
        held.keep(verified)
      } catch { throw login.keeper.failed(error) }
      guard let objects else {
        login.keeper.release(&held)
        throw login.keeper.failed(.deviceError, "the certificate has no RSA key")
      }
      try self.grant(login, &held) { slot in
        slot.login = .user
        slot.objects = objects
      }
    }
  }

  private func verify(_ puk: consuming PUK, _ login: Login) throws(ReturnValue) {
    var code: PUK? = consume puk
    try login.keeper.withCard { (held) throws(ReturnValue) in
      try self.requireWanted(login, .securityOfficer)
      guard let puk = code.take() else { return }
      let card = try self.open(login, &held)
      do throws(CardError) {
        let authenticated = try card.authenticateForPUK(
          checking: login.keeper.terms.check, remembering: tries)
        note(authenticated.counter, login)
        log?.write("slot \(login.slot): chip: \(authenticated.genuineness)")
        held.keep(try authenticated.verify(puk))
      } catch { throw login.keeper.failed(error) }
      try self.grant(login, &held) { $0.login = .securityOfficer }
    }
  }

  /// Checks again, because another thread may have logged in or closed the session while this one
  /// waited for the lock.
  private func requireWanted(_ login: Login, _ user: User) throws(ReturnValue) {
    try requireWanted(login) { (tables) throws(ReturnValue) in
      try tables.prepareLogin(login.handle, user)
    }
  }

  /// Repeats the check of another function that uses a code.
  func requireWanted(
    _ login: Login,
    _ prepare: (inout Tables) throws(ReturnValue) -> (slot: Int, Insertion)
  ) throws(ReturnValue) {
    do throws(ReturnValue) {
      let now = try with { (tables) throws(ReturnValue) in try prepare(&tables) }
      guard now.1 == login.insertion else { throw .deviceRemoved }
    } catch { throw login.keeper.failed(error, "not wanted any more") }
  }

  /// Opens the card and checks that it is the one for which the code was typed.
  func open(
    _ login: Login, _ held: inout CardKeeper.Held
  ) throws(ReturnValue) -> IdentityCard<AnyCardChannel> {
    var card = try login.keeper.open(login.insertion, &held)
    let services = try mapError(try card.readServicesNumber()) {
      login.keeper.failed($0 as CardError)
    }
    let isSame: Bool = try mapError(
      try recognize(.identityCard(services), in: login.slot, login.insertion)
    ) {
      (error: ReturnValue) in login.keeper.failed(error, "the card has left")
    }
    guard isSame else { throw login.keeper.failed(.deviceRemoved, "another card is there") }
    return card
  }

  /// Records the chip to which a code is about to be sent.
  func note(_ chip: KnownTries.Counter, _ login: Login) {
    _ = try? with { (tables) throws(ReturnValue) in
      guard case .identityCard(let services) = try tables.slots.slot(login.slot).token else {
        return
      }
      tables.chips[services] = chip
    }
  }

  /// Records the login, if card and session are unchanged.
  private func grant(
    _ login: Login, _ held: inout CardKeeper.Held, _ change: (inout Slot) -> Void
  ) throws(ReturnValue) {
    do throws(ReturnValue) {
      try login.keeper.watchTime(&held)
      try mapError(
        try with { (tables) throws(ReturnValue) in
          _ = try tables.session(login.handle)
          let isThere = tables.update(login.slot, if: login.insertion, change)
          guard isThere else { throw .deviceRemoved }
        }
      ) { (error: ReturnValue) in login.keeper.failed(error, "session or card are gone") }
    } catch {
      login.keeper.release(&held)
      throw error
    }
  }
}

struct Login: Sendable {
  let handle: UInt
  let slot: Int
  let insertion: Insertion
  let keeper: CardKeeper

  /// Anything but eight digits counts as wrong, and is not sent to the card.
  func noDigits() -> ReturnValue {
    keeper.failed(.pinIncorrect, "no eight digits; the card was not asked")
  }
}
