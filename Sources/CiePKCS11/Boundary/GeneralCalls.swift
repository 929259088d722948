internal import CPKCS11
internal import Primitives

/// The general functions (PKCS #11 v2.40 §5.4).
enum GeneralCalls {
  static func initialize(_ arguments: UnsafeMutableRawPointer?) -> CK_RV {
    let value = ReturnValue.of { () throws(ReturnValue) in
      try check(arguments?.assumingMemoryBound(to: CK_C_INITIALIZE_ARGS.self).pointee)
      try Installation.install { Module(PCSCReaders(), .ofProcess(), $0) }
    }
    (try? Installation.module())?.log?.write("C_Initialize() = \(value.name)")
    return value.rawValue
  }

  /// Locks are always those of the system. Hosts that forbid new threads
  /// (CKF_LIBRARY_CANT_CREATE_OS_THREADS) are accepted, because a thread lasts for one call of the
  /// card and an error would stop NSS, which sets the flag.
  private static func check(_ arguments: CK_C_INITIALIZE_ARGS?) throws(ReturnValue) {
    guard let arguments else { return }
    guard arguments.pReserved == nil else { throw .argumentsBad }
    let given = [
      arguments.CreateMutex != nil, arguments.DestroyMutex != nil, arguments.LockMutex != nil,
      arguments.UnlockMutex != nil,
    ]
    guard given.allSatisfy({ $0 == given[0] }) else { throw .argumentsBad }
    guard !given[0] || arguments.flags & CK_FLAGS(CKF_OS_LOCKING_OK) != 0 else { throw .cantLock }
  }

  static func finalize(_ reserved: UnsafeMutableRawPointer?) -> CK_RV {
    Call.run("C_Finalize") { (_) throws(ReturnValue) in
      guard reserved == nil else { throw .argumentsBad }
      try Installation.remove().finish()
    }
  }

  static func getInfo(_ info: UnsafeMutablePointer<CK_INFO>?) -> CK_RV {
    Call.run("C_GetInfo") { (_) throws(ReturnValue) in
      let release = ProgramRelease.numbers
      var found = CK_INFO()
      found.cryptokiVersion = CK_VERSION(major: 2, minor: 40)
      HostMemory.setText(&found.manufacturerID, "cie-read")
      HostMemory.setText(&found.libraryDescription, "Italian identity card (CIE 3.0)")
      found.libraryVersion = CK_VERSION(major: release.major, minor: release.minor)
      try HostMemory.write(found, to: info)
    }
  }

  static func getFunctionList(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<CK_FUNCTION_LIST>?>?
  ) -> CK_RV {
    ReturnValue.of { () throws(ReturnValue) in
      try HostMemory.write(FunctionList.pointer, to: list)
    }.rawValue
  }
}
