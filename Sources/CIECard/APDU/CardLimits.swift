/// What EF.ATR/INFO says about the longest APDUs (ISO/IEC 7816-4 §12.7.1): 7F66 { 02 command, 02 response }.
struct CardLimits: Equatable, Sendable {
  /// Most data bytes of a response, status word apart; 0 when the card announces no extended length.
  let response: Int

  /// Looks for the announcement among the data objects of EF.ATR/INFO; the file may begin with a category byte.
  init(information file: [UInt8]) {
    response = Self.announced(in: file[...]) ?? Self.announced(in: file.dropFirst()) ?? 0
  }

  private static func announced(in bytes: ArraySlice<UInt8>) -> Int? {
    var cursor = TLVCursor(bytes)
    // What follows the last object may be anything, so objects are taken one at a time.
    while let object = try? cursor.next() {
      guard object.tag == 0x7F66 else { continue }
      guard let limits = try? object.contents.all(), limits.count == 2,
        let response = limits.last, response.tag == 0x02, response.value.count <= 3
      else { return nil }
      let total = response.value.reduce(0) { $0 << 8 | Int($1) }
      return min(max(0, total - 2), CommandAPDU.maximumExtendedResponse)
    }
    return nil
  }
}
