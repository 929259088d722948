internal import CIECard
internal import CPKCS11

/// Sessions, login and codes (PKCS #11 v2.40 §5.5, §5.6).
enum SessionCalls {
  static func openSession(
    _ slot: UInt, _ flags: UInt, _ session: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_OpenSession", "slot \(slot), flags \(flags)") { (module) throws(ReturnValue) in
      guard session != nil else { throw .argumentsBad }
      guard flags & CK_FLAGS(CKF_SERIAL_SESSION) != 0 else { throw .sessionParallelNotSupported }
      let isReadWrite = flags & CK_FLAGS(CKF_RW_SESSION) != 0
      let handle = try module.openSession(SlotCalls.number(slot), isReadWrite: isReadWrite)
      module.log?.write("session \(handle)")
      try HostMemory.write(handle, to: session)
    }
  }

  static func closeSession(_ session: UInt) -> CK_RV {
    Call.run("C_CloseSession", "session \(session)") { (module) throws(ReturnValue) in
      try module.closeSession(session)
    }
  }

  static func closeAllSessions(_ slot: UInt) -> CK_RV {
    Call.run("C_CloseAllSessions", "slot \(slot)") { (module) throws(ReturnValue) in
      try module.closeAllSessions(SlotCalls.number(slot))
    }
  }

  static func getSessionInfo(
    _ session: UInt, _ info: UnsafeMutablePointer<CK_SESSION_INFO>?
  ) -> CK_RV {
    Call.run("C_GetSessionInfo", "session \(session)") { (module) throws(ReturnValue) in
      guard info != nil else { throw .argumentsBad }
      let (found, state) = try module.session(session)
      let flags = CKF_SERIAL_SESSION | (found.isReadWrite ? CKF_RW_SESSION : 0)
      try HostMemory.write(
        CK_SESSION_INFO(
          slotID: UInt(found.slot), state: state, flags: CK_FLAGS(flags), ulDeviceError: 0),
        to: info)
    }
  }

  static func login(
    _ session: UInt, _ user: UInt, _ code: UnsafeMutablePointer<UInt8>?, _ length: UInt
  ) -> CK_RV {
    Call.run("C_Login", "session \(session), user \(user), \(length) bytes") {
      (module) throws(ReturnValue) in
      guard let user = User(rawValue: user) else { throw .userTypeInvalid }
      try module.logIn(session, user, HostMemory.code(code, length))
    }
  }

  static func logout(_ session: UInt) -> CK_RV {
    Call.run("C_Logout", "session \(session)") { (module) throws(ReturnValue) in
      try module.logOut(session)
    }
  }

  static func initPIN(
    _ session: UInt, _ code: UnsafeMutablePointer<UInt8>?, _ length: UInt
  ) -> CK_RV {
    Call.run("C_InitPIN", "session \(session), \(length) bytes") { (module) throws(ReturnValue) in
      try module.initPIN(session, to: HostMemory.code(code, length))
    }
  }

  static func setPIN(
    _ session: UInt, _ old: UnsafeMutablePointer<UInt8>?, _ oldLength: UInt,
    _ new: UnsafeMutablePointer<UInt8>?, _ newLength: UInt
  ) -> CK_RV {
    Call.run("C_SetPIN", "session \(session), \(oldLength) and \(newLength) bytes") {
      (module) throws(ReturnValue) in
      try module.setPIN(
        session, from: HostMemory.code(old, oldLength), to: HostMemory.code(new, newLength))
    }
  }
}
