internal import CPKCS11

/// Objects (PKCS #11 v2.40 §5.7).
enum ObjectCalls {
  static func findObjectsInit(
    _ session: UInt, _ template: UnsafeMutablePointer<CK_ATTRIBUTE>?, _ count: UInt
  ) -> CK_RV {
    Call.run("C_FindObjectsInit", "session \(session), \(count) attributes") {
      (module) throws(ReturnValue) in
      let wanted = try HostMemory.template(template, count)
      try module.beginSearch(session) { object in wanted.allSatisfy { object.has($0) } }
    }
  }

  static func findObjects(
    _ session: UInt, _ objects: UnsafeMutablePointer<UInt>?, _ most: UInt,
    _ count: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_FindObjects", "session \(session), at most \(most)") {
      (module) throws(ReturnValue) in
      guard let count, objects != nil || most == 0 else { throw .argumentsBad }
      let found = try module.with { (tables) throws(ReturnValue) in
        try tables.continueSearch(session, atMost: most)
      }
      for (index, handle) in found.enumerated() { objects?[index] = handle }
      count.pointee = UInt(found.count)
    }
  }

  static func findObjectsFinal(_ session: UInt) -> CK_RV {
    Call.run("C_FindObjectsFinal", "session \(session)") { (module) throws(ReturnValue) in
      try module.with { (tables) throws(ReturnValue) in try tables.endSearch(session) }
    }
  }

  static func getAttributeValue(
    _ session: UInt, _ object: UInt, _ template: UnsafeMutablePointer<CK_ATTRIBUTE>?, _ count: UInt
  ) -> CK_RV {
    Call.run("C_GetAttributeValue", "session \(session), object \(object), \(count) attributes") {
      (module) throws(ReturnValue) in
      guard template != nil else { throw .argumentsBad }
      let wanted = try HostMemory.template(template, count)
      let found = try self.object(module, session, object)
      // All attributes are processed, whatever the first returns; any of the errors may be returned
      // (§5.7).
      var value = ReturnValue.ok
      for index in wanted.indices {
        let own = ReturnValue.of { () throws(ReturnValue) in try found.tell(&wanted[index]) }
        if own != .ok { value = own }
      }
      guard value == .ok else { throw value }
    }
  }

  static func getObjectSize(
    _ session: UInt, _ object: UInt, _ size: UnsafeMutablePointer<UInt>?
  ) -> CK_RV {
    Call.run("C_GetObjectSize", "session \(session), object \(object)") {
      (module) throws(ReturnValue) in
      guard size != nil else { throw .argumentsBad }
      try HostMemory.write(UInt(self.object(module, session, object).size), to: size)
    }
  }

  private static func object(
    _ module: Module, _ session: UInt, _ object: UInt
  ) throws(ReturnValue) -> TokenObject {
    try module.with { (tables) throws(ReturnValue) in try tables.object(session, object) }
  }
}

extension TokenObject {
  /// True if the object has an attribute with exactly this value.
  fileprivate func has(_ attribute: CK_ATTRIBUTE) -> Bool {
    guard case .bytes(let own)? = value(of: attribute.type),
      UInt(own.count) == attribute.ulValueLen
    else { return false }
    guard let pointer = attribute.pValue else { return own.isEmpty }
    return UnsafeRawBufferPointer(start: pointer, count: own.count).elementsEqual(own)
  }

  /// Writes the value of an attribute, or its length; CK_UNAVAILABLE_INFORMATION if there is no
  /// value or no room.
  fileprivate func tell(_ attribute: inout CK_ATTRIBUTE) throws(ReturnValue) {
    let given = attribute.ulValueLen
    attribute.ulValueLen = .max
    switch value(of: attribute.type) {
    case nil: throw .attributeTypeInvalid
    case .sensitive: throw .attributeSensitive
    case .bytes(let own):
      if let pointer = attribute.pValue {
        // CK_UNAVAILABLE_INFORMATION as a length means that the host reuses the template of an
        // earlier answer.
        guard given >= UInt(own.count), given != .max else { throw .bufferTooSmall }
        UnsafeMutableRawBufferPointer(start: pointer, count: own.count).copyBytes(from: own)
      }
      attribute.ulValueLen = UInt(own.count)
    }
  }
}
