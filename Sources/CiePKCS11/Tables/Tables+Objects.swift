/// The objects of a token, as a session sees them.
extension Tables {
  /// - Parameter matches: returns true if an object has all the attributes of the template.
  mutating func beginSearch(
    _ handle: UInt, _ matches: (TokenObject) -> Bool
  ) throws(ReturnValue) {
    let found = try session(handle).1.visibleObjects.filter(matches).map(\.kind.rawValue)
    try sessions.update(handle) { (session) throws(ReturnValue) in
      guard session.search == nil else { throw .operationActive }
      session.search = found
    }
  }

  /// The next handles of the search (C_FindObjects); empty at the end.
  mutating func continueSearch(
    _ handle: UInt, atMost limit: UInt
  ) throws(ReturnValue) -> [UInt] {
    try sessions.update(handle) { (session) throws(ReturnValue) in
      guard let search = session.search else { throw .operationNotInitialized }
      let told = Array(search.prefix(Int(clamping: limit)))
      session.search = Array(search.dropFirst(told.count))
      return told
    }
  }

  mutating func endSearch(_ handle: UInt) throws(ReturnValue) {
    try sessions.update(handle) { (session) throws(ReturnValue) in
      guard session.search != nil else { throw .operationNotInitialized }
      session.search = nil
    }
  }

  /// The object of a handle, if visible to the session.
  mutating func object(_ handle: UInt, _ object: UInt) throws(ReturnValue) -> TokenObject {
    let visible = try session(handle).1.visibleObjects
    guard let found = visible.first(where: { $0.kind.rawValue == object }) else {
      throw .objectHandleInvalid
    }
    return found
  }

  mutating func beginSignature(
    _ handle: UInt, mechanism: UInt, key: UInt
  ) throws(ReturnValue) {
    let (session, slot) = try session(handle)
    guard session.signing == nil else { throw .operationActive }
    guard let mechanism = SigningMechanism(rawValue: mechanism) else { throw .mechanismInvalid }
    guard slot.login == .user, let objects = slot.objects else { throw .userNotLoggedIn }
    guard let kind = TokenObject.Kind(rawValue: key) else { throw .keyHandleInvalid }
    guard kind == .privateKey else { throw .keyFunctionNotPermitted }
    try sessions.update(handle) { (session) throws(ReturnValue) in
      session.signing = SigningOperation(mechanism, signatureLength: objects.signatureLength)
    }
  }

  mutating func signature(_ handle: UInt) throws(ReturnValue) -> SigningOperation {
    guard let signing = try session(handle).0.signing else { throw .operationNotInitialized }
    return signing
  }

  /// Takes the signature in progress out of its session: it is over, whatever the result.
  ///
  /// - Returns: the signature, the slot and the card that signs.
  mutating func takeSignature(
    _ handle: UInt
  ) throws(ReturnValue) -> (SigningOperation, slot: Int, Insertion) {
    let (session, slot) = try session(handle)
    guard let signing = session.signing else { throw .operationNotInitialized }
    try sessions.update(handle) { (session) throws(ReturnValue) in session.signing = nil }
    guard let insertion = slot.insertion else { throw .deviceRemoved }
    return (signing, session.slot, insertion)
  }
}
