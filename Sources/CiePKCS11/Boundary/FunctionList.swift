package import CPKCS11

/// The list of functions that a host gets (PKCS #11 v2.40 §5.4).
package enum FunctionList {
  /// Made once, and there for as long as the process is: hosts keep it.
  package nonisolated(unsafe) static let pointer = make()

  private static func make() -> UnsafeMutablePointer<CK_FUNCTION_LIST> {
    let list = UnsafeMutablePointer<CK_FUNCTION_LIST>.allocate(capacity: 1)
    // No entry may be null: what is not set below says that it is not supported. In C's calling convention a function
    // may be called with arguments that it does not look at.
    let unsupported: @convention(c) () -> CK_RV = { ReturnValue.functionNotSupported.rawValue }
    UnsafeMutableRawPointer(list).initializeMemory(
      as: UInt.self, repeating: unsafeBitCast(unsupported, to: UInt.self),
      count: MemoryLayout<CK_FUNCTION_LIST>.size / MemoryLayout<UInt>.size)
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

  /// Those for which the standard has a more precise answer than "not supported".
  private static func setOtherFunctions(_ list: inout CK_FUNCTION_LIST) {
    list.C_SeedRandom = { _, _, _ in ReturnValue.randomNoRNG.rawValue }
    list.C_GenerateRandom = { _, _, _ in ReturnValue.randomNoRNG.rawValue }
    list.C_GetFunctionStatus = { _ in ReturnValue.functionNotParallel.rawValue }
    list.C_CancelFunction = { _ in ReturnValue.functionNotParallel.rawValue }
  }
}
