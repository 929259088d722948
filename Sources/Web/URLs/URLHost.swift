internal import Glibc
internal import Primitives

/// The host of an authority (RFC 3986 §3.2.2), in the canonical form in which hosts are compared.
enum URLHost {
  /// The host, and the digits behind its colon if there is one; user information is refused.
  static func split(
    _ authority: ArraySlice<UInt8>
  ) throws(RedirectURL.Problem) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
    guard !authority.contains(UInt8(ascii: "@")) else { throw .userInformation }
    // The colons of an IPv6 address stand before its closing bracket.
    let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    guard let colon = authority[bracket...].firstIndex(of: UInt8(ascii: ":")) else {
      return (authority, nil)
    }
    return (authority[..<colon], authority[colon...].dropFirst())
  }

  /// The canonical text of the part before the port.
  static func parse(_ bytes: ArraySlice<UInt8>) throws(RedirectURL.Problem) -> String {
    guard let first = bytes.first else { throw .emptyHost }
    if first == UInt8(ascii: "[") {
      guard bytes.last == UInt8(ascii: "]"), bytes.count > 2 else { throw .invalidIPv6 }
      return try addressOfSix(bytes.dropFirst().dropLast())
    }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // 253: RFC 1035 §2.3.4 without the root's length byte.
    guard bytes.count <= 253, labels.allSatisfy(isLabel) else { throw .invalidHost }
    let name = ASCII.lowercased(bytes)
    if let last = name.split(separator: ".").last, PageHost.isNumber(last.utf8) {
      guard isAddressOfFour(name) else { throw .ambiguousNumericHost }
    }
    return name
  }

  /// RFC 1123 §2.1: letters, digits and inner hyphens, 1 to 63.
  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { ASCII.isAlphanumeric($0) || $0 == hyphen }
  }

  /// Four decimal numbers without leading zeros, as inet_pton takes them.
  private static func isAddressOfFour(_ name: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, name, &address) == 1
  }

  /// The shortest text of the address (RFC 5952), in brackets.
  private static func addressOfSix(_ bytes: ArraySlice<UInt8>) throws(RedirectURL.Problem) -> String
  {
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1 else {
      throw .invalidIPv6
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else {
      throw .invalidIPv6
    }
    let characters = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let short = String(decoding: characters, as: UTF8.self)
    guard short.contains("."), let colon = short.lastIndex(of: ":") else { return "[\(short)]" }
    // inet_ntop may write the end as an IPv4 address; browsers write two more groups (URL Living Standard §3.5).
    let groups = withUnsafeBytes(of: address) { $0.suffix(4).map(UInt32.init) }
    let last = groups.reduce(0) { $0 << 8 | $1 }
    return
      "[\(short[...colon])\(String(last >> 16, radix: 16)):\(String(last & 0xFFFF, radix: 16))]"
  }
}
