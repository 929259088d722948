internal import Primitives

/// File encryption keys by passwords (ISO 32000-2 §7.6.4).
enum EncryptionKey {
  /// A key, and whether the owner's password opened it.
  typealias Found = (key: [UInt8], isOwner: Bool)

  /// Revisions 2 to 4, over MD5 and RC4 (ISO 32000-2 §7.6.4.3.2, §7.6.4.4).
  ///
  /// - Parameter length: of the key, in bytes.
  /// - Returns: nil if the password is neither the owner's nor the user's, or an entry has a wrong form.
  static func rc4(
    _ dictionary: PDFObject, identifier: [UInt8], revision: Int, length: Int, _ password: [UInt8]
  ) throws(CryptoError) -> Found? {
    guard let owner = dictionary["O"].string?.prefix(32), let user = dictionary["U"].string,
      let permissions = dictionary["P"].integer, owner.count == 32, user.count >= 32,
      (5...16).contains(length)
    else { return nil }
    let rounds = revision >= 3 ? 50 : 0
    let isClear = revision >= 4 && dictionary["EncryptMetadata"].boolean == false
    // The part of algorithm 2 behind O: P, ID and, for metadata in clear, four bytes more.
    let suffix =
      (0..<4).map { UInt8(truncatingIfNeeded: permissions >> (8 * $0)) } + identifier
      + (isClear ? [0xFF, 0xFF, 0xFF, 0xFF] : [])

    /// Algorithm 2, confirmed by algorithm 6.
    func userKey(_ password: [UInt8]) throws(CryptoError) -> [UInt8]? {
      var key = try MD5.hash(padded(password), [UInt8](owner), suffix)
      for _ in 0..<rounds { key = try MD5.hash([UInt8](key.prefix(length))) }
      key = [UInt8](key.prefix(length))
      guard rounds > 0 else {
        return try RC4.apply(padding, key: key).elementsEqual(user.prefix(32)) ? key : nil
      }
      var check = try MD5.hash(padding, identifier)
      for round in 0..<20 { check = try RC4.apply(check, key: key.map { $0 ^ UInt8(round) }) }
      return check.elementsEqual(user.prefix(16)) ? key : nil
    }
    // Algorithm 7: the user's password as the owner's opens it.
    var key = try MD5.hash(padded(password))
    for _ in 0..<rounds { key = try MD5.hash(key) }
    key = [UInt8](key.prefix(length))
    var opened = [UInt8](owner)
    for round in (0..<(rounds > 0 ? 20 : 1)).reversed() {
      opened = try RC4.apply(opened, key: key.map { $0 ^ UInt8(round) })
    }
    if let key = try userKey(opened) { return (key, true) }
    return try userKey(password).map { ($0, false) }
  }

  private static func padded(_ password: [UInt8]) -> [UInt8] {
    [UInt8]((password + padding).prefix(32))
  }

  /// Padding of ISO 32000-2 §7.6.4.3.2.
  private static let padding: [UInt8] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
  ]

  /// Revisions 5 and 6, over SHA-2 and AES-256 (ISO 32000-2 §7.6.4.3.3): algorithm 2.A.
  static func aes(
    _ dictionary: PDFObject, revision: Int, _ password: [UInt8]
  ) throws(CryptoError) -> Found? {
    guard let owner = dictionary["O"].string?.prefix(48), owner.count == 48,
      let user = dictionary["U"].string?.prefix(48), user.count == 48,
      let ownerKey = dictionary["OE"].string, let userKey = dictionary["UE"].string,
      ownerKey.count == 32, userKey.count == 32
    else { return nil }
    let password = [UInt8](password.prefix(127))
    for (entry, encrypted, more) in [(owner, ownerKey, [UInt8](user)), (user, userKey, [])] {
      func hash(_ salt: Range<Int>) throws(CryptoError) -> [UInt8] {
        try Self.hash(password, [UInt8](entry[salt]), more, isHardened: revision >= 6)
      }
      guard try hash(32..<40).elementsEqual(entry.prefix(32)) else { continue }
      return (try AES.decrypt(encrypted, key: Secret(hash(40..<48))), !more.isEmpty)
    }
    return nil
  }

  /// Algorithm 2.B; revision 5 has its first step only. It ends, because the last byte is at most 255.
  private static func hash(
    _ password: [UInt8], _ salt: [UInt8], _ more: [UInt8], isHardened: Bool
  ) throws(CryptoError) -> [UInt8] {
    var key = try HashAlgorithm.sha256.hash(password, salt, more)
    var round = 0
    while isHardened {
      let block = password + key + more
      let output = try AES.encrypt(
        (0..<64).flatMap { _ in block }, key: Secret([UInt8](key[..<16])),
        iv: [UInt8](key[16..<32]))
      let algorithm: HashAlgorithm =
        switch output.prefix(16).reduce(0, { $0 + Int($1) }) % 3 {
        case 0: .sha256
        case 1: .sha384
        default: .sha512
        }
      key = try algorithm.hash(output)
      round += 1
      if round >= 64, Int(output.last ?? 0) <= round - 32 { break }
    }
    return [UInt8](key.prefix(32))
  }
}
