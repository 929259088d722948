/// What a server answered.
struct HTTPResponse: Sendable {
  /// One header field.
  struct Header: Sendable, Hashable {
    /// Its name in lower case.
    var name: String
    /// Its value without surrounding white space.
    var value: String
  }

  /// The status code.
  var status: Int
  /// The URL that was asked.
  var url: String
  /// The header fields in order.
  var headers: [Header]
  /// The body, never longer than the request allows.
  var body: [UInt8]
  /// Where a redirect leads, as an absolute URL; `nil` when the answer is no redirect. Nobody has judged it yet.
  var location: String?

  /// The value of the first header field of this name, in any case of letters.
  func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name == name }?.value
  }
}
