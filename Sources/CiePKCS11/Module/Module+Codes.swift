internal import CIECard

extension Module {
  /// Changes the PIN (C_SetPIN): the old one is verified anew, which ends a login.
  func setPIN(
    _ handle: UInt, from old: consuming Secret?, to new: consuming Secret?
  ) throws(ReturnValue) {
    try refresh()
    let (slot, insertion) = try with { (tables) throws(ReturnValue) in
      try tables.prepareChange(handle)
    }
    let login = Login(handle: handle, slot: slot, insertion: insertion, keeper: try keeper(slot))
    guard let old else { throw explain(.noDigits, in: slot) }
    guard let new else { throw .pinLenRange }
    do throws(CardFailure) {
      guard let fresh = try? PIN(new) else { throw CardFailure(.pinLenRange, "no eight digits") }
      try change(PIN(checking: old), to: fresh, login)
    } catch { throw explain(error, in: slot) }
  }

  private func change(
    _ old: consuming PIN, to new: consuming PIN, _ login: Login
  ) throws(CardFailure) {
    var before: PIN? = consume old
    var after: PIN? = consume new
    try login.keeper.withCard { (held) throws(CardFailure) in
      try requireWanted(login) { (tables) throws(ReturnValue) in
        try tables.prepareChange(login.handle)
      }
      guard let before = before.take(), let after = after.take() else { return }
      forgetLogin(login.slot)
      let card = try self.open(login, &held)
      do throws(CardError) {
        let authenticated = try card.authenticate(
          checking: login.keeper.terms.check, remembering: tries)
        note(authenticated.counter, login)
        try authenticated.changePIN(from: before, to: after)
      } catch { throw CardFailure(error) }
    }
  }

  /// Sets a new PIN after the PUK (C_InitPIN), which unblocks it.
  func initPIN(_ handle: UInt, to new: consuming Secret?) throws(ReturnValue) {
    try refresh()
    let (session, slot) = try with { (tables) throws(ReturnValue) in try tables.session(handle) }
    guard slot.login == .securityOfficer, let insertion = slot.insertion else {
      throw .userNotLoggedIn
    }
    let keeper = try keeper(session.slot)
    guard let new, let pin = try? PIN(new) else { throw .pinLenRange }
    do throws(CardFailure) { try keeper.setPIN(to: pin, on: insertion) } catch {
      let value = explain(error, in: session.slot)
      if value == .deviceRemoved { try lose(insertion, in: session.slot) }
      throw value
    }
  }
}

extension CardFailure {
  /// The code is malformed; nothing was sent to the card.
  static var noDigits: CardFailure {
    CardFailure(.pinIncorrect, "no eight digits; the card was not asked")
  }
}

extension PIN {
  /// A PIN from a host; anything but eight digits counts as wrong.
  init(checking code: consuming Secret) throws(CardFailure) {
    do throws(AccessCode.FormatError) { try self.init(code) } catch { throw .noDigits }
  }
}

extension PUK {
  /// A PUK from a host; anything but eight digits counts as wrong.
  init(checking code: consuming Secret) throws(CardFailure) {
    do throws(AccessCode.FormatError) { try self.init(code) } catch { throw .noDigits }
  }
}
