// Deliberately written apart from CIECard: the card's own BER-TLV.

/// A node of an extended header list: the path to the objects that GET DATA asks for
/// (ISO/IEC 7816-4 §8.4.4, tag 4D).
struct HeaderList: Equatable {
  /// Tag of the object.
  let tag: UInt32
  /// The members asked for; empty when the object is wanted whole (length 00 or 80).
  let members: [HeaderList]

  /// Deepest nesting that the card follows; its own objects need four levels.
  private static let deepest = 6

  /// The nodes that fill the value of a 4D object exactly; nil when they do not.
  static func list(_ bytes: [UInt8]) -> [HeaderList]? { list(bytes[...], depth: 0) }

  private static func list(_ bytes: ArraySlice<UInt8>, depth: Int) -> [HeaderList]? {
    guard depth < deepest else { return nil }
    var rest = bytes
    var nodes: [HeaderList] = []
    while !rest.isEmpty {
      guard let tag = BERObject.takeTag(&rest), let length = rest.popFirst() else { return nil }
      if length == 0 || length == 0x80 || !BERObject.isConstructed(tag) {
        nodes.append(HeaderList(tag: tag, members: []))
        continue
      }
      guard Int(length) <= rest.count,
        let members = list(rest.prefix(Int(length)), depth: depth + 1)
      else { return nil }
      rest = rest.dropFirst(Int(length))
      nodes.append(HeaderList(tag: tag, members: members))
    }
    return nodes
  }

  /// Follows single members down these tags; nil when the path is another one.
  func members(along path: UInt32...) -> [HeaderList]? {
    var node = self
    for tag in path {
      guard node.members.count == 1, let next = node.members.first, next.tag == tag
      else { return nil }
      node = next
    }
    return node.members
  }
}
