internal import Primitives

/// The standard security handler of an encrypted file (ISO 32000-2 §7.6.4), opened with a password.
struct SecurityHandler {
  /// The file encryption key, 5 to 32 bytes.
  let key: [UInt8]
  /// True if the password is the owner's, who may do everything.
  let isOwner: Bool
  /// P (ISO 32000-2 table 22).
  private let permissions: UInt32
  private let revision: Int
  let strings: Method
  let streams: Method

  /// Ciphers of strings and streams (ISO 32000-2 table 25).
  enum Method { case none, rc4, aes128, aes256 }

  /// - Parameters:
  ///   - identifier: the first half of the file's ID.
  ///   - password: as bytes in the encoding of the handler's revision.
  init(_ dictionary: PDFObject, identifier: [UInt8], password: [UInt8]) throws(DocumentError) {
    guard dictionary["Filter"].name == "Standard", let version = dictionary["V"].integer,
      let revision = dictionary["R"].integer, let permissions = dictionary["P"].integer,
      let methods = Self.methods(dictionary, version)
    else { throw .refused(.structure("Encrypt")) }
    self.revision = revision
    self.permissions = UInt32(truncatingIfNeeded: permissions)
    (strings, streams) = methods
    let found: EncryptionKey.Found?
    do throws(CryptoError) {
      switch (version, revision) {
      case (1...4, 2...4):
        let length = [1: 5, 4: 16][version] ?? (dictionary["Length"].integer ?? 40) / 8
        found = try EncryptionKey.rc4(
          dictionary, identifier: identifier, revision: revision, length: length, password)
      case (5, 5...6): found = try EncryptionKey.aes(dictionary, revision: revision, password)
      default: found = nil
      }
    } catch { throw .crypto(error) }
    // qpdf has opened the file with this password, so what fails here is a kind that is not known.
    guard let found else { throw .refused(.structure("Encrypt")) }
    (key, isOwner) = found
  }

  /// True if forms may be filled in or annotations made: bits 6 and, from revision 3 on, 9.
  var allowsSigning: Bool {
    isOwner || permissions & 0x20 != 0 || revision >= 3 && permissions & 0x100 != 0
  }

  private static func methods(
    _ dictionary: PDFObject, _ version: Int
  ) -> (strings: Method, streams: Method)? {
    guard version >= 4 else { return (.rc4, .rc4) }
    func method(_ key: String) -> Method? {
      guard let name = dictionary[key].name, name != "Identity" else { return Method.none }
      let filter = dictionary["CF"][name]
      guard filter.isDictionary else { return nil }
      return switch filter["CFM"].name {
      case "V2": version == 4 ? .rc4 : nil
      case "AESV2": version == 4 ? .aes128 : nil
      case "AESV3": version == 5 ? .aes256 : nil
      case "None", nil: Method.none
      default: nil
      }
    }
    guard let strings = method("StrF"), let streams = method("StmF") else { return nil }
    return (strings, streams)
  }
}

extension PDFFile {
  /// The handler of an encrypted file; nil if it is not encrypted.
  func securityHandler() throws(DocumentError) -> SecurityHandler? {
    guard isEncrypted else { return nil }
    return try SecurityHandler(
      trailer["Encrypt"], identifier: trailer["ID"].items?.first?.string ?? [], password: password)
  }
}
