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
    guard let old else { throw login.noDigits() }
    guard let new else { throw .pinLenRange }
    guard let fresh = try? PIN(new) else {
      throw login.keeper.failed(.pinLenRange, "no eight digits")
    }
    guard let known = try? PIN(old) else { throw login.noDigits() }
    try change(known, to: fresh, login)
  }

  private func change(
    _ old: consuming PIN, to new: consuming PIN, _ login: Login
  ) throws(ReturnValue) {
    var before: PIN? = consume old
    var after: PIN? = consume new
    try login.keeper.withCard { (held) throws(ReturnValue) in
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
      } catch { throw login.keeper.failed(error) }
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
    do throws(ReturnValue) { try keeper.setPIN(to: pin, on: insertion) } catch {
      if error == .deviceRemoved { try lose(insertion, in: session.slot) }
      throw error
    }
  }
}
