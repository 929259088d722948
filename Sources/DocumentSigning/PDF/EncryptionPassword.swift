internal import Primitives

/// Passwords of revisions 2 to 4, over MD5 and RC4 (ISO 32000-2 §7.6.4.3.2, §7.6.4.4).
struct PasswordRC4 {
  private let owner: [UInt8]
  private let user: [UInt8]
  /// P, ID and, for metadata in clear, four bytes more: what algorithm 2 takes after O.
  private let suffix: [UInt8]
  private let identifier: [UInt8]
  private let rounds: Int
  private let length: Int

  /// - Parameter length: of the key, in bytes.
  /// - Returns: nil if an entry has a wrong form.
  init?(_ dictionary: PDFObject, identifier: [UInt8], revision: Int, length: Int) {
    guard let owner = dictionary["O"].string, let user = dictionary["U"].string,
      let permissions = dictionary["P"].integer, owner.count >= 32, user.count >= 32,
      (5...16).contains(length)
    else { return nil }
    (self.owner, self.user) = ([UInt8](owner.prefix(32)), user)
    (self.identifier, self.length) = (identifier, length)
    rounds = revision >= 3 ? 50 : 0
    let isClear = revision >= 4 && dictionary["EncryptMetadata"].boolean == false
    suffix =
      (0..<4).map { UInt8(truncatingIfNeeded: permissions >> (8 * $0)) } + identifier
      + (isClear ? [0xFF, 0xFF, 0xFF, 0xFF] : [])
  }

  /// The file encryption key by the owner's or else the user's password.
  func key(_ password: [UInt8]) throws(CryptoError) -> (key: [UInt8], isOwner: Bool)? {
    if let key = try userKey(userPassword(owner: password)) { return (key, true) }
    return try userKey(password).map { ($0, false) }
  }

  /// Algorithm 2, confirmed by algorithm 6.
  private func userKey(_ password: [UInt8]) throws(CryptoError) -> [UInt8]? {
    var key = try MD5.hash(Self.padded(password), owner, suffix)
    for _ in 0..<rounds { key = try MD5.hash([UInt8](key.prefix(length))) }
    key = [UInt8](key.prefix(length))
    guard rounds > 0 else {
      return try RC4.apply(Self.padding, key: key).elementsEqual(user.prefix(32)) ? key : nil
    }
    var check = try MD5.hash(Self.padding, identifier)
    for round in 0..<20 { check = try RC4.apply(check, key: key.map { $0 ^ UInt8(round) }) }
    return check.elementsEqual(user.prefix(16)) ? key : nil
  }

  /// Algorithm 7: the user's password as the owner's opens it.
  private func userPassword(owner password: [UInt8]) throws(CryptoError) -> [UInt8] {
    var key = try MD5.hash(Self.padded(password))
    for _ in 0..<rounds { key = try MD5.hash(key) }
    key = [UInt8](key.prefix(length))
    var text = owner
    for round in (0..<(rounds > 0 ? 20 : 1)).reversed() {
      text = try RC4.apply(text, key: key.map { $0 ^ UInt8(round) })
    }
    return text
  }

  private static func padded(_ password: [UInt8]) -> [UInt8] {
    [UInt8]((password + padding).prefix(32))
  }

  /// Padding of ISO 32000-2 §7.6.4.3.2.
  private static let padding: [UInt8] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
  ]
}

/// Passwords of revisions 5 and 6, over SHA-2 and AES-256 (ISO 32000-2 §7.6.4.3.3).
struct PasswordAES {
  private let owner: [UInt8]
  private let user: [UInt8]
  private let ownerKey: [UInt8]
  private let userKey: [UInt8]
  private let revision: Int

  /// - Returns: nil if an entry has a wrong form.
  init?(_ dictionary: PDFObject, revision: Int) {
    guard let owner = dictionary["O"].string, let user = dictionary["U"].string,
      let ownerKey = dictionary["OE"].string, let userKey = dictionary["UE"].string,
      owner.count >= 48, user.count >= 48, ownerKey.count == 32, userKey.count == 32
    else { return nil }
    (self.owner, self.user) = ([UInt8](owner.prefix(48)), [UInt8](user.prefix(48)))
    (self.ownerKey, self.userKey, self.revision) = (ownerKey, userKey, revision)
  }

  /// Algorithm 2.A.
  func key(_ password: [UInt8]) throws(CryptoError) -> (key: [UInt8], isOwner: Bool)? {
    let password = [UInt8](password.prefix(127))
    for (entry, encrypted, more) in [(owner, ownerKey, user), (user, userKey, [])] {
      let check = try hash(password, [UInt8](entry[32..<40]), more)
      guard check.elementsEqual(entry.prefix(32)) else { continue }
      let intermediate = try hash(password, [UInt8](entry[40..<48]), more)
      return (try AES.decrypt(encrypted, key: Secret(intermediate)), !more.isEmpty)
    }
    return nil
  }

  /// Algorithm 2.B; revision 5 has its first step only. It ends, because the last byte is at most 255.
  private func hash(
    _ password: [UInt8], _ salt: [UInt8], _ more: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    var key = try HashAlgorithm.sha256.hash(password, salt, more)
    var round = 0
    while revision >= 6 {
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
