// Deliberately written apart from CIECard: the card's side of GET RESPONSE.

/// A response that is longer than one answer can carry, handed out piece by piece
/// (ISO/IEC 7816-4 §5.3.4).
struct WaitingResponse {
  private var data: ArraySlice<UInt8>
  private let status: Status

  /// A complete response: data and the status word that closes it.
  init(_ data: [UInt8], _ status: Status) {
    self.data = data[...]
    self.status = status
  }

  /// Bytes left to fetch.
  var count: Int { data.count }

  /// Whether nothing is left to fetch.
  var isEmpty: Bool { data.isEmpty }

  /// The next piece on the wire, with 61xx while more waits.
  mutating func next(atMost limit: Int) -> [UInt8] {
    let piece = data.prefix(max(1, limit))
    data = data.dropFirst(piece.count)
    return piece + (data.isEmpty ? status : .bytesWaiting(data.count)).bytes
  }
}
