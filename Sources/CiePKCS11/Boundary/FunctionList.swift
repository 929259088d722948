package import CPKCS11

package enum FunctionList {
  /// Created once and never freed, because hosts keep it.
  package nonisolated(unsafe) static let pointer = make()

  private static func make() -> UnsafeMutablePointer<CK_FUNCTION_LIST> {
    let list = UnsafeMutablePointer<CK_FUNCTION_LIST>.allocate(capacity: 1)
    // No entry may be null: those not set below return CKR_FUNCTION_NOT_SUPPORTED.
    let entries = UnsafeMutableRawPointer(list)
    entries.initializeMemory(
      as: UInt.self, repeating: unsafeBitCast(UnsupportedCalls.beginning, to: UInt.self),
      count: MemoryLayout<CK_FUNCTION_LIST>.size / MemoryLayout<UInt>.size)
    for entry in UnsupportedCalls.continuations {
      guard let offset = MemoryLayout<CK_FUNCTION_LIST>.offset(of: entry) else { continue }
      entries.storeBytes(
        of: unsafeBitCast(UnsupportedCalls.continuing, to: UInt.self), toByteOffset: offset,
        as: UInt.self)
    }
    list.pointee.version = CK_VERSION(major: 2, minor: 40)
    setGeneralFunctions(&list.pointee)
    setSessionFunctions(&list.pointee)
    setObjectFunctions(&list.pointee)
    setOtherFunctions(&list.pointee)
    return list
  }

  private static func setGeneralFunctions(_ list: inout CK_FUNCTION_LIST) {
    list.C_Initialize = { GeneralCalls.initialize($0) }
    list.C_Finalize = { GeneralCalls.finalize($0) }
    list.C_GetInfo = { GeneralCalls.getInfo($0) }
    list.C_GetFunctionList = { GeneralCalls.getFunctionList($0) }
    list.C_GetSlotList = { SlotCalls.getSlotList($0, $1, $2) }
    list.C_GetSlotInfo = { SlotCalls.getSlotInfo($0, $1) }
    list.C_GetTokenInfo = { SlotCalls.getTokenInfo($0, $1) }
    list.C_GetMechanismList = { SlotCalls.getMechanismList($0, $1, $2) }
    list.C_GetMechanismInfo = { SlotCalls.getMechanismInfo($0, $1, $2) }
    list.C_WaitForSlotEvent = { SlotCalls.waitForSlotEvent($0, $1, $2) }
  }

  private static func setSessionFunctions(_ list: inout CK_FUNCTION_LIST) {
    list.C_OpenSession = { SessionCalls.openSession($0, $1, $4) }
    list.C_CloseSession = { SessionCalls.closeSession($0) }
    list.C_CloseAllSessions = { SessionCalls.closeAllSessions($0) }
    list.C_GetSessionInfo = { SessionCalls.getSessionInfo($0, $1) }
    list.C_Login = { SessionCalls.login($0, $1, $2, $3) }
    list.C_Logout = { SessionCalls.logout($0) }
    list.C_InitPIN = { SessionCalls.initPIN($0, $1, $2) }
    list.C_SetPIN = { SessionCalls.setPIN($0, $1, $2, $3, $4) }
  }

  private static func setObjectFunctions(_ list: inout CK_FUNCTION_LIST) {
    list.C_FindObjectsInit = { ObjectCalls.findObjectsInit($0, $1, $2) }
    list.C_FindObjects = { ObjectCalls.findObjects($0, $1, $2, $3) }
    list.C_FindObjectsFinal = { ObjectCalls.findObjectsFinal($0) }
    list.C_GetAttributeValue = { ObjectCalls.getAttributeValue($0, $1, $2, $3) }
    list.C_GetObjectSize = { ObjectCalls.getObjectSize($0, $1, $2) }
    list.C_SignInit = { SigningCalls.signInit($0, $1, $2) }
    list.C_Sign = { SigningCalls.sign($0, $1, $2, $3, $4) }
    list.C_SignUpdate = { SigningCalls.signUpdate($0, $1, $2) }
    list.C_SignFinal = { SigningCalls.signFinal($0, $1, $2) }
  }

  /// Sets the functions for which the standard has a more precise answer than "not supported".
  private static func setOtherFunctions(_ list: inout CK_FUNCTION_LIST) {
    list.C_InitToken = { slot, _, _, label in UnsupportedCalls.initToken(slot, label) }
    list.C_CreateObject = { UnsupportedCalls.createObject($0, $1, $2, $3) }
    list.C_SeedRandom = { UnsupportedCalls.random($0, $1, $2) }
    list.C_GenerateRandom = { UnsupportedCalls.random($0, $1, $2) }
    // These two always return this, whatever the session (§5.15).
    list.C_GetFunctionStatus = { _ in ReturnValue.functionNotParallel.rawValue }
    list.C_CancelFunction = { _ in ReturnValue.functionNotParallel.rawValue }
  }
}
