/// The data objects of a protected answer, parsed strictly: [87 or 85], 99, then 8E at the end.
struct ProtectedAnswer {
  /// Everything before the MAC object, unchanged: the input of the MAC.
  let authenticated: [UInt8]
  /// The cryptogram without padding indicator; whole blocks, `nil` if the answer has no data.
  let cryptogram: [UInt8]?
  let status: StatusWord
  /// The eight bytes of DO8E.
  let mac: [UInt8]

  init(_ bytes: [UInt8], block: Int) throws(CardError.Reason) {
    guard let objects = try? TLVCursor(bytes).all() else { throw .notBelieved(.malformed) }
    guard let last = objects.last, last.tag == 0x8E else { throw .notBelieved(.missingMAC) }
    guard last.value.count == SessionCipher.macLength else { throw .notBelieved(.malformed) }
    mac = last.bytes
    var covered: [UInt8] = []
    var cryptogram: [UInt8]?
    var word: [UInt8]?
    for object in objects.dropLast() {
      covered += object.encoded
      switch (object.tag, cryptogram, word) {
      case (0x87, nil, nil) where object.value.first == 0x01:
        cryptogram = [UInt8](object.value.dropFirst())
      case (0x85, nil, nil):
        cryptogram = object.bytes
      case (0x99, _, nil) where object.value.count == 2:
        word = object.bytes
      default:
        throw .notBelieved(.malformed)
      }
    }
    guard let word else { throw .notBelieved(.missingStatus) }
    if let cryptogram, cryptogram.isEmpty || cryptogram.count % block != 0 {
      throw .notBelieved(.malformed)
    }
    authenticated = covered
    self.cryptogram = cryptogram
    status = StatusWord(rawValue: word.reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
  }
}
