/// What is asked of a server.
struct HTTPRequest: Sendable, Hashable {
  /// GET, or POST with a form.
  enum Method: Sendable, Hashable {
    /// GET (RFC 9110 §9.3.1).
    case get
    /// POST (RFC 9110 §9.3.3) of application/x-www-form-urlencoded.
    case post(HTTPForm)
  }

  /// How long bodies may be, in bytes, when nobody says otherwise; login pages have some ten thousand.
  static let usualBodyLimit = 1 << 20

  /// Where to.
  var url: String
  /// What.
  var method: Method
  /// The longest body that is taken, in bytes.
  var bodyLimit = usualBodyLimit
  /// Further header fields.
  var headers: [HTTPResponse.Header] = []
  /// Whether the header and what has come of the body are enough, however the body ends.
  var takesPart = false

  /// The request that an answer redirects this one to; `nil` when it redirects to nowhere.
  ///
  /// 303 turns every method into GET; so do 301 and 302 with POST, as RFC 9110 §15.4.2 f. allows and all browsers
  /// do. 307 and 308 change nothing.
  func redirected(by response: HTTPResponse) -> HTTPRequest? {
    guard let location = response.location else { return nil }
    switch response.status {
    case 301, 302, 303: return HTTPRequest(url: location, method: .get, bodyLimit: bodyLimit)
    case 307, 308: return HTTPRequest(url: location, method: method, bodyLimit: bodyLimit)
    default: return nil
    }
  }
}

extension HTTPRequest: Redacted {
  /// The method.
  var description: String {
    switch method {
    case .get: "GET"
    case .post(let form): "POST of \(form)"
    }
  }
}

/// The fields of an HTML form, in order.
struct HTTPForm: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The fields in the order in which they are sent; a name may come twice.
  let fields: [QueryItem]

  /// Takes fields in their order.
  init(_ fields: [QueryItem]) { self.fields = fields }

  /// Fields as written, in that order.
  init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { QueryItem($0.0, $0.1) }
  }

  /// application/x-www-form-urlencoded.
  var encoded: String { fields.joined(PercentEncoding.encodeForm) }
}

extension HTTPForm: Redacted {
  /// The names of the fields.
  var description: String { "form of " + fields.map(\.name).joined(separator: ", ") }
}
