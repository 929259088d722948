internal import CIECard
internal import CPKCS11
internal import CiePKCS11

/// Slots and tokens.
extension Host {
  /// The first slot, or sometimes an invalid one.
  private mutating func slot() -> UInt { input.isRare(4) ? input.number() : 0 }

  mutating func getSlotList() {
    getList("C_GetSlotList", holding: 4) { [list] values, count, drawn in
      list.C_GetSlotList?(UInt8(truncatingIfNeeded: drawn), values, count)
    }
  }

  mutating func getMechanismList() {
    let slot = slot()
    getList("C_GetMechanismList", holding: 4) { [list] values, count, _ in
      list.C_GetMechanismList?(slot, values, count)
    }
  }

  /// A function that fills a list of the host's, or returns its length. A host that names a larger number than there
  /// can be entries is served, and has memory for those.
  private mutating func getList(
    _ name: String, holding most: Int,
    _ function: (UnsafeMutablePointer<UInt>?, UnsafeMutablePointer<UInt>?, UInt) -> CK_RV?
  ) {
    let (drawn, given) = (input.number(), input.number())
    let values =
      input.isRare(3) ? nil : memory.room(for: UInt.self, min(Int(clamping: given), most))
    let count = input.isRare(8) ? nil : memory.room(for: UInt.self)
    count?.pointee = given
    guard expectAnswer(function(values, count, drawn), to: name), let count else { return }
    expect(count.pointee <= most, "\(name) names \(count.pointee)")
    expect(values == nil || count.pointee <= given, "\(name) has written too much")
  }

  mutating func getSlotInfo() {
    let place = input.isRare(8) ? nil : memory.room(for: CK_SLOT_INFO.self)
    expectAnswer(list.C_GetSlotInfo?(slot(), place), to: "C_GetSlotInfo")
  }

  mutating func getTokenInfo() {
    let place = input.isRare(8) ? nil : memory.room(for: CK_TOKEN_INFO.self)
    expectAnswer(list.C_GetTokenInfo?(slot(), place), to: "C_GetTokenInfo")
  }

  mutating func getMechanismInfo() {
    let place = input.isRare(8) ? nil : memory.room(for: CK_MECHANISM_INFO.self)
    expectAnswer(
      list.C_GetMechanismInfo?(slot(), input.number(), place), to: "C_GetMechanismInfo")
  }

  /// A card wakes the waiting thread, or at the latest the end of the module.
  mutating func waitForSlotEvent() {
    var flags = input.number()
    let place = input.isRare(8) ? nil : memory.room(for: UInt.self)
    let reserved = input.isRare(8) ? memory.bytes(1) : nil
    // Without PC/SC there would be no event.
    if !hasRoom { flags |= CKF_DONT_BLOCK }
    let (endsModule, turns) = (input.isRare(3), Lock(0))
    room.whileWaiting { [room] in
      let turn = turns.withLock { turns in
        turns += 1
        return turns
      }
      // An absent reader cannot be touched.
      if endsModule || turn > 2 {
        _ = FunctionList.pointer.pointee.C_Finalize?(nil)
      } else {
        room.touch(Host.reader)
      }
    }
    expectAnswer(list.C_WaitForSlotEvent?(flags, place, reserved), to: "C_WaitForSlotEvent")
    room.whileWaiting(nil)
  }
}
