internal import CIECard
internal import CPKCS11

/// Slots and tokens (PKCS #11 v2.40 §5.5).
enum SlotCalls {
  static func getSlotList(
    _ tokenPresent: UInt8, _ list: UnsafeMutablePointer<UInt>?, _ count: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_GetSlotList", "token present: \(tokenPresent != 0)") {
      (module) throws(ReturnValue) in
      guard count != nil else { throw .argumentsBad }
      let slots = try module.slots(withToken: tokenPresent != 0)
      try HostMemory.write(slots.map { UInt($0) }, to: list, count)
    }
  }

  static func getSlotInfo(_ slot: UInt, _ info: UnsafeMutablePointer<CK_SLOT_INFO>?) -> CK_RV {
    Call.run("C_GetSlotInfo", "slot \(slot)") { (module) throws(ReturnValue) in
      guard info != nil else { throw .argumentsBad }
      let found = try module.slot(number(slot))
      var value = CK_SLOT_INFO()
      HostMemory.setText(&value.slotDescription, found.name ?? "no reader")
      HostMemory.setText(&value.manufacturerID, "")
      value.flags = CK_FLAGS(CKF_REMOVABLE_DEVICE | CKF_HW_SLOT)
      if found.insertion != nil { value.flags |= CK_FLAGS(CKF_TOKEN_PRESENT) }
      try HostMemory.write(value, to: info)
    }
  }

  static func getTokenInfo(_ slot: UInt, _ info: UnsafeMutablePointer<CK_TOKEN_INFO>?) -> CK_RV {
    Call.run("C_GetTokenInfo", "slot \(slot)") { (module) throws(ReturnValue) in
      guard info != nil else { throw .argumentsBad }
      let (_, services) = try module.token(number(slot))
      let sessions = try module.sessionCount(number(slot))
      var value = CK_TOKEN_INFO()
      // Some hosts show only the label.
      HostMemory.setText(&value.label, "CIE \(services)")
      HostMemory.setText(&value.manufacturerID, "IPZS")
      HostMemory.setText(&value.model, "CIE 3.0")
      HostMemory.setText(&value.serialNumber, services.description)
      value.flags = try Self.flags(module.triesLeft(services))
      value.ulMaxSessionCount = UInt(SessionTable.mostSessions)
      value.ulMaxRwSessionCount = UInt(SessionTable.mostSessions)
      value.ulSessionCount = UInt(sessions.all)
      value.ulRwSessionCount = UInt(sessions.readWrite)
      value.ulMaxPinLen = 8
      value.ulMinPinLen = 8
      value.ulTotalPublicMemory = UInt.max
      value.ulFreePublicMemory = UInt.max
      value.ulTotalPrivateMemory = UInt.max
      value.ulFreePrivateMemory = UInt.max
      HostMemory.setText(&value.utcTime, "")
      try HostMemory.write(value, to: info)
    }
  }

  static func getMechanismList(
    _ slot: UInt, _ list: UnsafeMutablePointer<UInt>?, _ count: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_GetMechanismList", "slot \(slot)") { (module) throws(ReturnValue) in
      guard count != nil else { throw .argumentsBad }
      try module.requireToken(number(slot))
      try HostMemory.write(SigningMechanism.allCases.map(\.rawValue), to: list, count)
    }
  }

  static func getMechanismInfo(
    _ slot: UInt, _ type: UInt, _ info: UnsafeMutablePointer<CK_MECHANISM_INFO>?
  ) -> CK_RV {
    Call.run("C_GetMechanismInfo", "slot \(slot), mechanism \(type)") {
      (module) throws(ReturnValue) in
      guard info != nil else { throw .argumentsBad }
      try module.requireToken(number(slot))
      guard SigningMechanism(rawValue: type) != nil else { throw .mechanismInvalid }
      let flags = CK_FLAGS(CKF_HW | CKF_SIGN)
      try HostMemory.write(
        CK_MECHANISM_INFO(ulMinKeySize: 2048, ulMaxKeySize: 2048, flags: flags), to: info)
    }
  }

  static func waitForSlotEvent(
    _ flags: UInt, _ slot: UnsafeMutablePointer<UInt>?, _ reserved: UnsafeMutableRawPointer?
  ) -> CK_RV {
    Call.run("C_WaitForSlotEvent", "flags \(flags)") { (module) throws(ReturnValue) in
      guard slot != nil, reserved == nil else { throw .argumentsBad }
      let isBlocking = flags & CK_FLAGS(CKF_DONT_BLOCK) == 0
      try HostMemory.write(UInt(try module.waitForSlotEvent(isBlocking: isBlocking)), to: slot)
    }
  }

  /// Converts a slot number; one that is not an `Int` is invalid.
  static func number(_ slot: UInt) throws(ReturnValue) -> Int {
    guard let number = Int(exactly: slot) else { throw .slotIDInvalid }
    return number
  }

  /// CK_TOKEN_INFO's flags. A token that requires login and shows no objects before makes hosts ask
  /// for the PIN first, and look again.
  private static func flags(_ triesLeft: (pin: Int?, puk: Int?)) -> CK_FLAGS {
    var flags = CKF_TOKEN_INITIALIZED | CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED
    switch triesLeft.pin {
    case 0: flags |= CKF_USER_PIN_LOCKED
    case 1: flags |= CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY
    case .some(..<3): flags |= CKF_USER_PIN_COUNT_LOW
    default: break
    }
    switch triesLeft.puk {
    case 0: flags |= CKF_SO_PIN_LOCKED
    case 1: flags |= CKF_SO_PIN_COUNT_LOW | CKF_SO_PIN_FINAL_TRY
    case .some(..<10): flags |= CKF_SO_PIN_COUNT_LOW
    default: break
    }
    return CK_FLAGS(flags)
  }
}
