package struct RequestHead: Sendable {
  package let method: String
  /// As sent, without the query.
  package let path: String
  /// The language requested by the query (`?lang=`).
  package let queryLanguage: String?
  private let headers: [(name: String, value: String)]

  /// - Parameter headers: in the order received, names in any case.
  init(
    method: String, path: String, queryLanguage: String? = nil,
    headers: [(name: String, value: String)]
  ) {
    self.method = method
    self.path = path
    self.queryLanguage = queryLanguage
    self.headers = headers.map { ($0.name.lowercased(), $0.value) }
  }

  /// The value of a header; the first one if it is repeated.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Headers that are ambiguous when repeated, and that the library accepts twice.
  private static let single: Set = [
    "authorization", "content-length", "content-type", "host", "origin", "sec-fetch-dest",
    "sec-fetch-site", "transfer-encoding",
  ]

  /// True if one of those is repeated, or a length stands beside chunked encoding, which overrides
  /// it (RFC 9112 §6.1).
  var isAmbiguous: Bool {
    let names = headers.map(\.name).filter(Self.single.contains)
    return Set(names).count < names.count
      || names.contains("content-length") && names.contains("transfer-encoding")
  }

  var contentLength: Int? { self["content-length"].flatMap { Int($0) } }
}
