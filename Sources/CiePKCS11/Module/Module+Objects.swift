extension Module {
  /// Begins a search (C_FindObjectsInit).
  func beginSearch(_ handle: UInt, _ matches: (TokenObject) -> Bool) throws(ReturnValue) {
    try refresh()
    try with { (tables) throws(ReturnValue) in try tables.beginSearch(handle, matches) }
  }

  /// Begins a signature (C_SignInit).
  func beginSignature(_ handle: UInt, mechanism: UInt, key: UInt) throws(ReturnValue) {
    try with { (tables) throws(ReturnValue) in
      try tables.beginSignature(handle, mechanism: mechanism, key: key)
    }
  }

  /// The signature that was begun, for its length and for data in pieces.
  func signature(_ handle: UInt) throws(ReturnValue) -> SigningOperation {
    try with { (tables) throws(ReturnValue) in try tables.signature(handle) }
  }

  /// Ends a signature that cannot be made any more.
  func abandonSignature(_ handle: UInt) {
    _ = try? with { (tables) throws(ReturnValue) in _ = try tables.takeSignature(handle) }
  }

  /// Signs all the data of the signature that was begun, and ends it, whatever comes of it.
  func sign(_ handle: UInt) throws(ReturnValue) -> [UInt8] {
    let (signing, slot) = try with { (tables) throws(ReturnValue) in
      try tables.takeSignature(handle)
    }
    let input = try signing.finish()
    do throws(CardFailure) { return try keeper(slot: slot).sign(input) } catch {
      let value = explain(error, in: slot)
      if value == .deviceRemoved { try refresh() }
      throw value
    }
  }

  private func keeper(slot: Int) throws(CardFailure) -> CardKeeper {
    do throws(ReturnValue) { return try keeper(slot) } catch {
      throw CardFailure(error, "no such slot")
    }
  }
}
