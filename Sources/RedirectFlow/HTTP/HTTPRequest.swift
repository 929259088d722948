/// What is asked of a server.
package struct HTTPRequest: Sendable, Hashable {
  /// GET, POST, or DELETE.
  package enum Method: Sendable, Hashable {
    /// GET (RFC 9110 §9.3.1).
    case get
    /// POST (RFC 9110 §9.3.3) of application/x-www-form-urlencoded.
    case post(HTTPForm)
    /// POST of a JSON text; the field that says so is one of the headers.
    case postJSON(String)
    /// DELETE (RFC 9110 §9.3.5).
    case delete
  }

  /// How long bodies may be, in bytes, when nobody says otherwise; login pages have some ten thousand.
  package static let usualBodyLimit = 1 << 20

  /// Where to.
  package var url: String
  /// What.
  package var method: Method
  /// The longest body that is taken, in bytes.
  package var bodyLimit = usualBodyLimit
  /// Further header fields.
  package var headers: [HTTPResponse.Header] = []
  /// Whether the header and what has come of the body are enough, however the body ends.
  var takesPart = false

  /// A request; its body's limit is the usual one unless said otherwise.
  package init(url: String, method: Method, bodyLimit: Int = usualBodyLimit) {
    self.url = url
    self.method = method
    self.bodyLimit = bodyLimit
  }

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
  package var description: String {
    switch method {
    case .get: "GET"
    case .delete: "DELETE"
    case .postJSON(let text): "POST of \(text.utf8.count) bytes of JSON"
    case .post(let form): "POST of \(form)"
    }
  }
}

/// The fields of an HTML form, in order.
package struct HTTPForm: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The fields in the order in which they are sent; a name may come twice.
  package let fields: [QueryItem]

  /// Takes fields in their order.
  package init(_ fields: [QueryItem]) { self.fields = fields }

  /// Fields as written, in that order.
  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { QueryItem($0.0, $0.1) }
  }

  /// application/x-www-form-urlencoded.
  var encoded: String { fields.joined(PercentEncoding.encodeForm) }
}

extension HTTPForm: Redacted {
  /// The names of the fields.
  package var description: String { "form of " + fields.map(\.name).joined(separator: ", ") }
}
