/// One answer of the card: data and status word (ISO/IEC 7816-4 §5.1).
struct ResponseAPDU: Equatable, Sendable {
  /// The response data field.
  let data: [UInt8]
  /// SW1-SW2.
  let status: StatusWord

  init(data: [UInt8] = [], status: StatusWord) {
    self.data = data
    self.status = status
  }

  /// Takes apart a complete R-APDU.
  ///
  /// - Throws: `ChannelError.truncatedResponse` when it is shorter than a status word.
  init(_ bytes: [UInt8]) throws(ChannelError) {
    guard bytes.count >= 2 else { throw .truncatedResponse(length: bytes.count) }
    let word = bytes.suffix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    self.init(data: [UInt8](bytes.dropLast(2)), status: StatusWord(rawValue: word))
  }
}
