internal import CPKCS11

/// Functions that the module does not support. They make the same checks as every function: the
/// module, the session, the arguments (PKCS #11 v2.40 §5.1).
enum UnsupportedCalls {
  /// A function whose first argument is a session. C's calling convention allows more arguments
  /// than it reads.
  typealias SessionFunction = @convention(c) (UInt) -> CK_RV

  /// Functions that would begin an operation, or have no state.
  static let beginning: SessionFunction = { answer($0, .functionNotSupported) }

  /// Functions that continue an operation, which cannot have been started.
  static let continuing: SessionFunction = { answer($0, .operationNotInitialized) }

  nonisolated(unsafe) static let continuations: [PartialKeyPath<CK_FUNCTION_LIST>] = [
    \.C_Encrypt, \.C_EncryptUpdate, \.C_EncryptFinal, \.C_Decrypt, \.C_DecryptUpdate,
    \.C_DecryptFinal, \.C_Digest, \.C_DigestUpdate, \.C_DigestKey, \.C_DigestFinal,
    \.C_SignRecover, \.C_Verify, \.C_VerifyUpdate, \.C_VerifyFinal, \.C_VerifyRecover,
    \.C_DigestEncryptUpdate, \.C_DecryptDigestUpdate, \.C_SignEncryptUpdate,
    \.C_DecryptVerifyUpdate,
  ]

  static func initToken(_ slot: UInt, _ label: UnsafeMutablePointer<UInt8>?) -> CK_RV {
    Call.run("C_InitToken", "slot \(slot)") { (module) throws(ReturnValue) in
      guard label != nil else { throw .argumentsBad }
      _ = try module.slot(SlotCalls.number(slot))
      throw .functionNotSupported
    }
  }

  static func createObject(
    _ session: UInt, _ template: UnsafeMutablePointer<CK_ATTRIBUTE>?, _ count: UInt,
    _ object: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_CreateObject", "session \(session), \(count) attributes") {
      (module) throws(ReturnValue) in
      _ = try module.session(session)
      guard object != nil else { throw .argumentsBad }
      let given = try HostMemory.template(template, count)
      guard given.contains(where: { $0.type == CKA_CLASS }) else { throw .templateIncomplete }
      throw .functionNotSupported
    }
  }

  /// C_SeedRandom and C_GenerateRandom.
  static func random(
    _ session: UInt, _ data: UnsafeMutablePointer<UInt8>?, _ count: UInt
  ) -> CK_RV {
    Call.run("C_SeedRandom or C_GenerateRandom", "session \(session), \(count) bytes") {
      (module) throws(ReturnValue) in
      _ = try module.session(session)
      guard data != nil || count == 0 else { throw .argumentsBad }
      throw .randomNoRNG
    }
  }

  private static func answer(_ session: UInt, _ value: ReturnValue) -> CK_RV {
    Call.run("a function that there is not", "session \(session)") {
      (module) throws(ReturnValue) in
      _ = try module.session(session)
      throw value
    }
  }
}
