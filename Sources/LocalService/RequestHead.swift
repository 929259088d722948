/// The request line and the headers.
package struct RequestHead: Sendable {
  package let method: String
  /// As it was sent, without the query.
  package let path: String
  /// The language that the query asks for (`?lang=`).
  package let queryLanguage: String?
  private let headers: [(name: String, value: String)]

  /// - Parameter headers: in the order in which they came, names in any case.
  package init(
    method: String, path: String, queryLanguage: String? = nil,
    headers: [(name: String, value: String)]
  ) {
    self.method = method
    self.path = path
    self.queryLanguage = queryLanguage
    self.headers = headers.map { ($0.name.lowercased(), $0.value) }
  }

  /// The value of a header; that of the first where there are several.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Headers of which two could be understood in two ways, and of which the library lets two pass.
  private static let single: Set = [
    "authorization", "content-length", "content-type", "host", "origin", "sec-fetch-site",
    "transfer-encoding",
  ]

  /// Whether one of those is there twice, or a length beside the chunks that make it void (RFC 9112 §6.1).
  package var isAmbiguous: Bool {
    let names = headers.map(\.name).filter(Self.single.contains)
    return Set(names).count < names.count
      || names.contains("content-length") && names.contains("transfer-encoding")
  }

  /// How long the body is, where that is told.
  var contentLength: Int? { self["content-length"].flatMap { Int($0) } }
}
