internal import CIECard

extension Module {
  /// Changes the PIN (C_SetPIN): the old one is verified anew, and with that a login ends.
  func setPIN(
    _ handle: UInt, from old: consuming Secret?, to new: consuming Secret?
  ) throws(ReturnValue) {
    try refresh()
    let (session, slot) = try with { (tables) throws(ReturnValue) in try tables.session(handle) }
    guard session.isReadWrite else { throw .sessionReadOnly }
    // The PUK cannot be changed.
    guard slot.login != .securityOfficer else { throw .functionNotSupported }
    guard let insertion = slot.insertion else { throw .tokenNotPresent }
    let login = Login(
      handle: handle, slot: session.slot, insertion: insertion, keeper: try keeper(session.slot))
    guard let old else { throw explain(.noDigits, in: session.slot) }
    guard let new else { throw .pinLenRange }
    do throws(CardFailure) {
      guard let fresh = try? PIN(new) else { throw CardFailure(.pinLenRange, "no eight digits") }
      try change(PIN(checking: old), to: fresh, login)
    } catch {
      note(error.triesLeft, of: .pin, login)
      throw explain(error, in: session.slot)
    }
  }

  private func change(
    _ old: consuming PIN, to new: consuming PIN, _ login: Login
  ) throws(CardFailure) {
    var before: PIN? = consume old
    var after: PIN? = consume new
    try login.keeper.withCard { (held) throws(CardFailure) in
      guard let before = before.take(), let after = after.take() else { return }
      let card = try login.keeper.open(login.insertion.reader, &held)
      forgetLogin(login.slot)
      do throws(CardError) {
        try card.authenticate(checking: login.keeper.terms.check)
          .changePIN(from: before, to: after)
      } catch { throw CardFailure(error) }
    }
    note(nil, of: .pin, login)
  }

  /// Sets a new PIN after the PUK (C_InitPIN), which unblocks it.
  func initPIN(_ handle: UInt, to new: consuming Secret?) throws(ReturnValue) {
    try refresh()
    let (session, slot) = try with { (tables) throws(ReturnValue) in try tables.session(handle) }
    guard slot.login == .securityOfficer, let insertion = slot.insertion else {
      throw .userNotLoggedIn
    }
    let login = Login(
      handle: handle, slot: session.slot, insertion: insertion, keeper: try keeper(session.slot))
    guard let new, let pin = try? PIN(new) else { throw .pinLenRange }
    do throws(CardFailure) { try login.keeper.setPIN(to: pin) } catch {
      throw explain(error, in: session.slot)
    }
    note(nil, of: .pin, login)
  }

  /// Notes the tries of a code, as far as the card told them.
  func note(_ tries: Int?, of kind: CardError.CodeKind, _ login: Login) {
    _ = try? with { (tables) throws(ReturnValue) in
      tables.update(login.slot, if: login.insertion) { slot in
        switch kind {
        case .pin: slot.pinTries = tries
        case .puk: slot.pukTries = tries
        }
      }
    }
  }
}

extension CardFailure {
  /// The card was not asked.
  static var noDigits: CardFailure {
    CardFailure(.pinIncorrect, "no eight digits; the card was not asked")
  }
}

extension PIN {
  /// A PIN that a host gave; what is not eight digits is a wrong one.
  init(checking code: consuming Secret) throws(CardFailure) {
    do throws(AccessCode.FormatError) { try self.init(code) } catch { throw .noDigits }
  }
}

extension PUK {
  /// A PUK that a host gave; what is not eight digits is a wrong one.
  init(checking code: consuming Secret) throws(CardFailure) {
    do throws(AccessCode.FormatError) { try self.init(code) } catch { throw .noDigits }
  }
}
