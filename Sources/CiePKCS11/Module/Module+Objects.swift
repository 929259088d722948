extension Module {
  /// Begins a search (C_FindObjectsInit).
  func beginSearch(_ handle: UInt, _ matches: (TokenObject) -> Bool) throws(ReturnValue) {
    try refresh()
    let (session, slot) = try with { (tables) throws(ReturnValue) in try tables.session(handle) }
    // No objects are shown until it is certain that the card is the same.
    if slot.objects != nil, !slot.isSure { _ = try token(session.slot) }
    try with { (tables) throws(ReturnValue) in try tables.beginSearch(handle, matches) }
  }

  /// Begins a signature (C_SignInit).
  func beginSignature(_ handle: UInt, mechanism: UInt, key: UInt) throws(ReturnValue) {
    try with { (tables) throws(ReturnValue) in
      try tables.beginSignature(handle, mechanism: mechanism, key: key)
    }
  }

  /// The signature in progress, for its length and for data in parts.
  func signature(_ handle: UInt) throws(ReturnValue) -> SigningOperation {
    try with { (tables) throws(ReturnValue) in try tables.signature(handle) }
  }

  /// Ends a signature that can no longer be made.
  func abandonSignature(_ handle: UInt) {
    _ = try? with { (tables) throws(ReturnValue) in _ = try tables.takeSignature(handle) }
  }

  /// Signs all the data of the signature in progress, which ends even on failure.
  func sign(_ handle: UInt) throws(ReturnValue) -> [UInt8] {
    let (signing, slot, insertion) = try with { (tables) throws(ReturnValue) in
      try tables.takeSignature(handle)
    }
    let input = try signing.finish()
    let keeper = try keeper(slot)
    do throws(ReturnValue) { return try keeper.sign(input, by: insertion) } catch {
      if error == .deviceRemoved { try lose(insertion, in: slot) }
      throw error
    }
  }
}
