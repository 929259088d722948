internal import Glibc
internal import Primitives

/// The proxy that the environment names for a server, as curl(1) understands its variables: `https_proxy`,
/// `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, and for plain HTTP `http_proxy`; `no_proxy` and `NO_PROXY` take servers
/// out.
///
/// libcurl would read them itself, but not report afterwards whether the proxy failed. TLS with the server goes through
/// the proxy untouched (CONNECT, RFC 9110 §9.3.6).
package struct HTTPProxy: Sendable, Equatable {
  /// Its address in the environment; it may hold a password.
  let url: String
  /// Its host and port, for messages.
  let host: String
  let speaksHTTP: Bool
  package let isSecure: Bool

  /// - Parameter server: the host of `address`, an IPv6 address without brackets.
  /// - Returns: `nil` for a direct connection.
  package init?(
    for address: String, host server: String, _ environment: (String) -> String?
  ) throws(HTTPError) {
    func value(_ names: [String]) -> String? {
      names.lazy.compactMap(environment).first { !$0.isEmpty }
    }
    // `HTTP_PROXY` is left out because any client could set it for a CGI program.
    let names = CurlURL.isSecure(address) ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    guard let text = value(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
    let exceptions = ProxyExceptions(value(["no_proxy", "NO_PROXY"]) ?? "")
    guard !exceptions.contain(server) else { return nil }
    guard let (scheme, host) = CurlURL.proxy(text) else { throw .proxy(.unusable, host: "") }
    url = text
    self.host = host
    speaksHTTP = ["http", "https"].contains(scheme)
    isSecure = scheme == "https"
  }
}

extension HTTPProxy: Redacted {
  package var description: String { host }
}

/// The servers of `no_proxy`: names with all subdomains, addresses, networks as `192.0.2.0/24`; `*` is all.
struct ProxyExceptions {
  private let entries: [Substring]

  init(_ list: String) {
    entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  /// - Parameter host: in lower case; an IPv6 address without brackets.
  func contain(_ host: String) -> Bool {
    let host = ASCII.lowercased(host.utf8)
    return entries.contains { entry in
      if entry == "*" { return true }
      if let network = Network(entry) { return network.contains(host) }
      let name = ASCII.lowercased(entry.utf8.drop { $0 == UInt8(ascii: ".") })
      return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
  }

  /// An address with its number of significant bits; without a slash all of them.
  private struct Network {
    let bytes: [UInt8]
    let length: Int

    init?(_ text: Substring) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let address = parts.first.map { $0.drop { $0 == "[" }.prefix { $0 != "]" } } ?? ""
      guard parts.count <= 2, let bytes = Self.address(String(address)) else { return nil }
      self.bytes = bytes
      guard let last = parts.dropFirst().first else {
        length = bytes.count * 8
        return
      }
      guard let length = Int(last), (0...bytes.count * 8).contains(length) else { return nil }
      self.length = length
    }

    func contains(_ host: String) -> Bool {
      guard let other = Self.address(host), other.count == bytes.count else { return false }
      return zip(bytes, other).enumerated().allSatisfy { index, pair in
        let significant = min(max(length - 8 * index, 0), 8)
        return (pair.0 ^ pair.1) >> (8 - significant) == 0
      }
    }

    private static func address(_ text: String) -> [UInt8]? {
      var four = in_addr()
      if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
      var six = in6_addr()
      if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
      return nil
    }
  }
}
