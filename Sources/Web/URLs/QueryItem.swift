/// A name and a value of a query or of a form, decoded.
package struct QueryItem: Sendable, Hashable {
  /// The name, decoded once.
  package let name: String
  /// The value, decoded once; empty when there was no `=`.
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Splits a raw query at `&` and each part at its first `=`, then decodes both once.
  ///
  /// - Throws: `RedirectURL.Problem.malformedEscape` or `.notUTF8`.
  package static func parse(
    _ query: some Collection<UInt8>
  ) throws(RedirectURL.Problem) -> [QueryItem] {
    guard !query.isEmpty else { return [] }
    var items: [QueryItem] = []
    for part in [UInt8](query).split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    {
      let halves = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = try halves.first.map(PercentEncoding.decodeText) ?? ""
      let value = try halves.dropFirst().first.map(PercentEncoding.decodeText) ?? ""
      items.append(QueryItem(name, value))
    }
    return items
  }

  /// The items of a query as browsers read it, of any bytes.
  static func read(_ query: some Collection<UInt8>) -> [QueryItem] {
    query.split(separator: UInt8(ascii: "&")).map { part in
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      let texts = [name[...], part.dropFirst(name.count + 1)].map {
        String(decoding: PercentEncoding.decodeLeniently($0), as: UTF8.self)
      }
      return QueryItem(texts[0], texts[1])
    }
  }
}

extension [QueryItem] {
  /// The items as a query: all but unreserved characters percent-encoded, so a value can never become another parameter.
  var encoded: String { joined(PercentEncoding.encode) }

  func joined(_ encode: (String) -> String) -> String {
    map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
  }
}

extension QueryItem: Redacted {
  package var description: String { name }
}
