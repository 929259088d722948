internal import CIECard

extension Module {
  /// The slots (C_GetSlotList).
  func slots(withToken: Bool) throws(ReturnValue) -> [Int] {
    try refresh()
    return try with { (tables) throws(ReturnValue) in
      let all = tables.slots.slots
      return all.indices.filter { !withToken || all[$0].insertion != nil }
    }
  }

  /// The current state of a slot (C_GetSlotInfo).
  func slot(_ number: Int) throws(ReturnValue) -> Slot {
    try refresh()
    return try with { (tables) throws(ReturnValue) in try tables.slots.slot(number) }
  }

  /// A slot with a CIE (C_GetTokenInfo): the card is identified once for each insertion, and again
  /// if it may have been exchanged unnoticed.
  func token(_ number: Int) throws(ReturnValue) -> (Slot, ServicesNumber) {
    let slot = try slot(number)
    guard let insertion = slot.insertion else { throw .tokenNotPresent }
    switch slot.token {
    case .identityCard(let services) where slot.isSure: return (slot, services)
    case .other: throw .tokenNotRecognized
    case .unknown, .identityCard: break
    }
    let keeper = try keeper(number)
    let token = try keeper.look(at: insertion, knownAs: slot.token)
    _ = try recognize(token, in: number, insertion)
    guard case .identityCard(let services) = token else { throw .tokenNotRecognized }
    return (try with { (tables) throws(ReturnValue) in try tables.slots.slot(number) }, services)
  }

  /// The remaining tries of PIN and PUK, as far as the card has reported them to this process.
  func triesLeft(_ services: ServicesNumber) throws(ReturnValue) -> (pin: Int?, puk: Int?) {
    let chip = try with { (tables) throws(ReturnValue) in tables.chips[services] }
    guard let chip else { return (nil, nil) }
    return (tries.left(of: chip.ofCode(.pin)), tries.left(of: chip.ofCode(.puk)))
  }

  /// Checks that a CIE is present, without asking the service again once it is known.
  func requireToken(_ number: Int) throws(ReturnValue) {
    let slot = try with { (tables) throws(ReturnValue) in try tables.slots.slot(number) }
    guard case .identityCard = slot.token else {
      _ = try token(number)
      return
    }
  }

  func sessionCount(_ number: Int) throws(ReturnValue) -> (all: Int, readWrite: Int) {
    try with { (tables) throws(ReturnValue) in tables.sessions.count(in: number) }
  }

  /// Opens a session (C_OpenSession).
  func openSession(_ number: Int, isReadWrite: Bool) throws(ReturnValue) -> UInt {
    switch try slot(number).token {
    case .identityCard: break
    case .unknown, .other: _ = try token(number)
    }
    return try with { (tables) throws(ReturnValue) in
      try tables.openSession(number, isReadWrite: isReadWrite)
    }
  }

  /// Ends a session; with the last one the login ends as well (C_CloseSession).
  func closeSession(_ handle: UInt) throws(ReturnValue) {
    let last = try with { (tables) throws(ReturnValue) in try tables.sessions.close(handle) }
    if let last { try logOut(slot: last) }
  }

  /// Ends all sessions with a token (C_CloseAllSessions).
  func closeAllSessions(_ number: Int) throws(ReturnValue) {
    try with { (tables) throws(ReturnValue) in
      _ = try tables.slots.slot(number)
      tables.sessions.closeAll(in: number)
    }
    try logOut(slot: number)
  }

  /// Slot and state of a session (C_GetSessionInfo).
  func session(_ handle: UInt) throws(ReturnValue) -> (session: Session, state: UInt) {
    try refresh()
    return try with { (tables) throws(ReturnValue) in try tables.state(of: handle) }
  }
}
