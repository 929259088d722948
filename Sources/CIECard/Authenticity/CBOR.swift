/// A data item of CBOR (RFC 8949), of the five kinds that a verifiable document is made of.
///
/// Each item has one form: the shortest head (§4.2.1), no indefinite length, no name of a map twice. Only the order of a map's
/// members is free for other writers. All other kinds are refused.
enum CBOR: Sendable, Equatable {
  case unsigned(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([String: CBOR])

  /// The major types (RFC 8949 §3.1).
  fileprivate enum Kind: UInt8 {
    case unsigned = 0
    case bytes = 2
    case text = 3
    case array = 4
    case map = 5
  }

  /// True if the first byte is that of a map; no JSON begins with it.
  static func isMap(_ bytes: [UInt8]) -> Bool { bytes.first.map { $0 >> 5 } == Kind.map.rawValue }

  /// Reads exactly one item.
  ///
  /// - Returns: `nil` for all that has another form or kind, more than 1024 items, or more than 8 levels.
  init?(_ bytes: [UInt8]) {
    var reader = CBORReader(rest: bytes[...])
    guard let item = reader.item(depth: 0), reader.rest.isEmpty else { return nil }
    self = item
  }

  /// The bytes, with the members of maps in the order of their encoded names (RFC 8949 §4.2.1).
  var encoded: [UInt8] {
    switch self {
    case .unsigned(let number): Self.head(.unsigned, number)
    case .bytes(let bytes): Self.head(.bytes, UInt64(bytes.count)) + bytes
    case .text(let text): Self.head(.text, UInt64(text.utf8.count)) + text.utf8
    case .array(let items): Self.head(.array, UInt64(items.count)) + items.flatMap(\.encoded)
    case .map(let members):
      Self.head(.map, UInt64(members.count))
        + members.map { (CBOR.text($0).encoded, $1.encoded) }
        .sorted { $0.0.lexicographicallyPrecedes($1.0) }.flatMap { $0 + $1 }
    }
  }

  private static func head(_ kind: Kind, _ argument: UInt64) -> [UInt8] {
    func head(_ information: UInt8, _ length: Int) -> [UInt8] {
      [kind.rawValue << 5 | information]
        + (0..<length).reversed().map { UInt8(truncatingIfNeeded: argument >> (8 * UInt64($0))) }
    }
    return switch argument {
    case ..<24: head(UInt8(argument), 0)
    case ...0xFF: head(24, 1)
    case ...0xFFFF: head(25, 2)
    case ...0xFFFF_FFFF: head(26, 4)
    default: head(27, 8)
    }
  }
}

extension CBOR {
  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  var members: [String: CBOR]? { if case .map(let members) = self { members } else { nil } }
}

/// Parses CBOR from left to right; every step advances or ends.
private struct CBORReader {
  private static let mostItems = 1024
  private static let depthLimit = 8
  var rest: ArraySlice<UInt8>
  private var items = 0

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  mutating func item(depth: Int) -> CBOR? {
    items += 1
    guard items <= Self.mostItems, depth < Self.depthLimit, let first = rest.popFirst(),
      let kind = CBOR.Kind(rawValue: first >> 5), let argument = argument(first & 0x1F)
    else { return nil }
    switch kind {
    case .unsigned: return .unsigned(argument)
    case .bytes: return take(argument).map(CBOR.bytes)
    case .text:
      return take(argument).flatMap { String(validating: $0, as: UTF8.self) }.map(CBOR.text)
    case .array:
      var items: [CBOR] = []
      for _ in 0..<argument {
        guard let item = item(depth: depth + 1) else { return nil }
        items.append(item)
      }
      return .array(items)
    case .map:
      var members: [String: CBOR] = [:]
      for _ in 0..<argument {
        guard case .text(let name) = item(depth: depth + 1), let value = item(depth: depth + 1),
          members.updateValue(value, forKey: name) == nil
        else { return nil }
      }
      return .map(members)
    }
  }

  /// The argument of a head (RFC 8949 §3), unless a shorter head has room for it.
  private mutating func argument(_ information: UInt8) -> UInt64? {
    guard information >= 24 else { return UInt64(information) }
    guard information <= 27, let bytes = take(1 << UInt64(information - 24)) else { return nil }
    let value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    let least: [UInt64] = [24, 0x100, 0x1_0000, 0x1_0000_0000]
    return value >= least[Int(information - 24)] ? value : nil
  }

  private mutating func take(_ count: UInt64) -> [UInt8]? {
    guard count <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return [UInt8](rest.prefix(Int(count)))
  }
}
