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

  /// A slot as it is now (C_GetSlotInfo).
  func slot(_ number: Int) throws(ReturnValue) -> Slot {
    try refresh()
    return try with { (tables) throws(ReturnValue) in try tables.slots.slot(number) }
  }

  /// A slot whose card is known to be a CIE (C_GetTokenInfo): looked at once for each insertion.
  func token(_ number: Int) throws(ReturnValue) -> (Slot, ServicesNumber) {
    let slot = try slot(number)
    guard let insertion = slot.insertion else { throw .tokenNotPresent }
    switch slot.token {
    case .identityCard(let services): return (slot, services)
    case .other: throw .tokenNotRecognized
    case .unknown: break
    }
    let keeper = try keeper(number)
    let services: ServicesNumber?
    do throws(CardFailure) { services = try keeper.look(at: insertion.reader) } catch {
      throw explain(error, in: number)
    }
    let token = services.map(Slot.Token.identityCard) ?? .other
    let isThere = try with { (tables) throws(ReturnValue) in
      tables.update(number, if: insertion) { $0.token = token }
    }
    guard isThere else { throw .deviceRemoved }
    guard let services else { throw .tokenNotRecognized }
    return (slot, services)
  }

  /// Whether a token is there whose mechanisms can be told. Once it is known, the service is not asked again.
  func requireToken(_ number: Int) throws(ReturnValue) {
    let slot = try with { (tables) throws(ReturnValue) in try tables.slots.slot(number) }
    guard case .identityCard = slot.token else {
      _ = try token(number)
      return
    }
  }

  /// How many sessions there are with a token.
  func sessionCount(_ number: Int) throws(ReturnValue) -> (all: Int, readWrite: Int) {
    try with { (tables) throws(ReturnValue) in tables.sessions.count(in: number) }
  }

  /// Opens a session (C_OpenSession).
  func openSession(_ number: Int, isReadWrite: Bool) throws(ReturnValue) -> UInt {
    _ = try token(number)
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
