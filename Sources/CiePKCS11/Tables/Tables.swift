internal import CIECard

/// Slots and sessions together: the rules of PKCS #11 for them, without any card.
struct Tables {
  private(set) var slots = SlotTable()
  var sessions = SessionTable()
  /// The chips to which codes were sent, by the services number.
  var chips: [ServicesNumber: KnownTries.Counter] = [:]
}

extension Tables {
  /// - Returns: the insertions that have ended; their sessions are gone.
  mutating func update(
    _ readers: [PCSCContext.Reader], _ held: [HeldCard], longestGap: Duration
  ) -> [Departure] {
    let left = slots.update(readers, held, longestGap: longestGap)
    for departure in left { sessions.abandon(departure.slot) }
    return left
  }

  /// Records the identity of a card, if it is still the same insertion.
  ///
  /// - Returns: the insertion that has ended, if another card was known.
  mutating func recognize(
    _ token: Token, in number: Int, _ insertion: Insertion
  ) throws(ReturnValue) -> Departure? {
    let slot = try slots.slot(number)
    guard slot.insertion == insertion else { throw .deviceRemoved }
    var departure: Departure?
    if slot.token != .unknown, slot.token != token {
      departure = lose(insertion, in: number)
    }
    slots.update(number) { ($0.token, $0.isSure) = (token, true) }
    return departure
  }

  mutating func lose(_ insertion: Insertion, in number: Int) -> Departure? {
    guard (try? slots.slot(number))?.insertion == insertion else { return nil }
    sessions.abandon(number)
    return slots.exchange(number)
  }

  /// Changes the state of a card, if it is still that one.
  ///
  /// - Returns: true if it is.
  @discardableResult
  mutating func update(
    _ slot: Int, if insertion: Insertion, _ change: (inout Slot) -> Void
  ) -> Bool {
    guard (try? slots.slot(slot))?.insertion == insertion else { return false }
    slots.update(slot, change)
    return true
  }

  mutating func takeEvent() -> Int? { slots.takeEvent() }

  mutating func logOut(_ slot: Int) {
    slots.update(slot) { $0.login = .nobody }
    sessions.forgetSignatures(in: slot)
  }

  mutating func openSession(_ slot: Int, isReadWrite: Bool) throws(ReturnValue) -> UInt {
    if !isReadWrite, try slots.slot(slot).login == .securityOfficer {
      throw .sessionReadWriteSOExists
    }
    return try sessions.open(Session(slot: slot, isReadWrite: isReadWrite))
  }

  mutating func session(_ handle: UInt) throws(ReturnValue) -> (Session, Slot) {
    let session = try sessions.session(handle)
    return (session, try slots.slot(session.slot))
  }

  /// Checks the preconditions of C_Login.
  ///
  /// - Returns: the slot and the card.
  mutating func prepareLogin(
    _ handle: UInt, _ user: User
  ) throws(ReturnValue) -> (slot: Int, Insertion) {
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

  /// Checks the preconditions of C_SetPIN.
  ///
  /// - Returns: the slot and the card.
  mutating func prepareChange(
    _ handle: UInt
  ) throws(ReturnValue) -> (slot: Int, Insertion) {
    let (session, slot) = try session(handle)
    guard session.isReadWrite else { throw .sessionReadOnly }
    // The PUK cannot be changed.
    guard slot.login != .securityOfficer else { throw .functionNotSupported }
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
