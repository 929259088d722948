internal import CPKCS11

/// Signatures (PKCS #11 v2.40 §5.11), in one or several parts.
enum SigningCalls {
  static func signInit(
    _ session: UInt, _ mechanism: UnsafeMutablePointer<CK_MECHANISM>?, _ key: UInt
  ) -> CK_RV {
    Call.run(
      "C_SignInit",
      "session \(session), mechanism \(mechanism.map { $0.pointee.mechanism } ?? 0), key \(key)"
    ) { (module) throws(ReturnValue) in
      guard let mechanism = mechanism?.pointee else { throw .argumentsBad }
      // None of the mechanisms has a parameter.
      guard mechanism.ulParameterLen == 0 else { throw .mechanismParamInvalid }
      try module.beginSignature(session, mechanism: mechanism.mechanism, key: key)
    }
  }

  static func sign(
    _ session: UInt, _ data: UnsafeMutablePointer<UInt8>?, _ count: UInt,
    _ signature: UnsafeMutablePointer<UInt8>?, _ length: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_Sign", "session \(session), \(count) bytes") { (module) throws(ReturnValue) in
      guard try !module.signature(session).isInParts else { throw .operationActive }
      try finish(module, session, signature, length) { (operation) throws(ReturnValue) in
        try add(data, count, to: operation)
      }
    }
  }

  static func signUpdate(
    _ session: UInt, _ part: UnsafeMutablePointer<UInt8>?, _ count: UInt
  ) -> CK_RV {
    Call.run("C_SignUpdate", "session \(session), \(count) bytes") {
      (module) throws(ReturnValue) in
      let operation = try module.signature(session)
      do throws(ReturnValue) { try add(part, count, to: operation) } catch {
        module.abandonSignature(session)
        throw error
      }
    }
  }

  static func signFinal(
    _ session: UInt, _ signature: UnsafeMutablePointer<UInt8>?,
    _ length: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_SignFinal", "session \(session)") { (module) throws(ReturnValue) in
      try finish(module, session, signature, length) { (_) throws(ReturnValue) in }
    }
  }

  /// Finishes the signature. Only a query of its length and a buffer that is too short leave the
  /// operation active.
  private static func finish(
    _ module: Module, _ session: UInt, _ signature: UnsafeMutablePointer<UInt8>?,
    _ length: UnsafeMutablePointer<UInt>?,
    _ addLast: (SigningOperation) throws(ReturnValue) -> Void
  ) throws(ReturnValue) {
    let operation = try module.signature(session)
    do throws(ReturnValue) {
      let needed = operation.signatureLength
      guard try HostMemory.hasRoom(signature != nil, length, for: needed), let signature else {
        return
      }
      try addLast(operation)
      let made = try module.sign(session)
      guard made.count == needed else { throw .functionFailed }
      for (index, byte) in made.enumerated() { signature[index] = byte }
    } catch {
      if error != .bufferTooSmall { module.abandonSignature(session) }
      throw error
    }
  }

  private static func add(
    _ data: UnsafeMutablePointer<UInt8>?, _ count: UInt, to operation: SigningOperation
  ) throws(ReturnValue) {
    try HostMemory.forEachPiece(data, count) { (piece) throws(ReturnValue) in
      try operation.add(piece)
    }
  }
}
