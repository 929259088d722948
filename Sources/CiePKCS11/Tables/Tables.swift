internal import CIECard

/// Slots and sessions together: what PKCS #11 prescribes of them, without any card.
struct Tables {
  private(set) var slots = SlotTable()
  var sessions = SessionTable()
}

extension Tables {
  /// Takes in what readers there are now.
  ///
  /// - Returns: the slots whose card has left; their sessions are gone.
  mutating func update(_ readers: [PCSCContext.Reader]) -> [Int] {
    let left = slots.update(readers)
    for slot in left { sessions.abandon(slot) }
    return left
  }

  /// Changes what is known of a card, if it is still that one.
  ///
  /// - Returns: whether it is.
  @discardableResult
  mutating func update(
    _ slot: Int, if insertion: Slot.Insertion, _ change: (inout Slot) -> Void
  ) -> Bool {
    guard (try? slots.slot(slot))?.insertion == insertion else { return false }
    slots.update(slot, change)
    return true
  }

  /// A slot where something happened, once.
  mutating func takeEvent() -> Int? { slots.takeEvent() }

  /// Nobody is logged in any more.
  mutating func logOut(_ slot: Int) {
    slots.update(slot) { $0.login = .nobody }
    sessions.forgetSignatures(in: slot)
  }

  /// Opens a session (C_OpenSession).
  mutating func openSession(_ slot: Int, isReadWrite: Bool) throws(ReturnValue) -> UInt {
    if !isReadWrite, try slots.slot(slot).login == .securityOfficer {
      throw .sessionReadWriteSOExists
    }
    return try sessions.open(Session(slot: slot, isReadWrite: isReadWrite))
  }

  /// Session and slot of a handle.
  mutating func session(_ handle: UInt) throws(ReturnValue) -> (Session, Slot) {
    let session = try sessions.session(handle)
    return (session, try slots.slot(session.slot))
  }

  /// What must hold before anybody is logged in (C_Login).
  ///
  /// - Returns: the slot and the card.
  mutating func prepareLogin(
    _ handle: UInt, _ user: User
  ) throws(ReturnValue) -> (slot: Int, Slot.Insertion) {
    let (session, slot) = try session(handle)
    switch (user, slot.login) {
    case (.contextSpecific, _): throw .operationNotInitialized
    case (.user, .user), (.securityOfficer, .securityOfficer): throw .userAlreadyLoggedIn
    case (.user, .securityOfficer), (.securityOfficer, .user): throw .userAnotherAlreadyLoggedIn
    case (.user, .nobody): break
    case (.securityOfficer, .nobody):
      let count = sessions.count(in: session.slot)
      guard count.all == count.readWrite else { throw .sessionReadOnlyExists }
    }
    guard let insertion = slot.insertion else { throw .tokenNotPresent }
    return (session.slot, insertion)
  }

  /// CK_STATE of a session (§5.6): read-only public, user; read-write public, user, security officer.
  mutating func state(of handle: UInt) throws(ReturnValue) -> (session: Session, state: UInt) {
    let (session, slot) = try session(handle)
    let state: UInt =
      switch slot.login {
      case .nobody: session.isReadWrite ? 2 : 0
      case .user: session.isReadWrite ? 3 : 1
      case .securityOfficer: 4
      }
    return (session, state)
  }
}
