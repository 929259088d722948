package struct HTTPRequest: Sendable, Hashable {
  package enum Method: Sendable, Hashable {
    /// GET (RFC 9110 §9.3.1).
    case get
    /// POST (RFC 9110 §9.3.3) of application/x-www-form-urlencoded.
    case post(HTTPForm)
    /// POST of bytes; their Content-Type is one of the headers.
    case postBytes([UInt8])
  }

  /// The default limit of bodies, in bytes; login pages have some ten thousand.
  package static let usualBodyLimit = 1 << 20

  package var url: String
  package var method: Method
  var bodyLimit = usualBodyLimit
  package var headers: [HTTPResponse.Header] = []
  /// True if the header and the received part of the body suffice, however the body ends.
  package var takesPart = false

  package init(url: String, method: Method, bodyLimit: Int = usualBodyLimit) {
    self.url = url
    self.method = method
    self.bodyLimit = bodyLimit
  }

  /// The request that an answer redirects this one to; `nil` when it does not redirect.
  ///
  /// 303 turns every method into GET; so do 301 and 302 with POST, as RFC 9110 §15.4.2 f. allows and all browsers do.
  /// 307 and 308 change nothing.
  package func redirected(by response: HTTPResponse) -> HTTPRequest? {
    guard let location = response.location else { return nil }
    switch response.status {
    case 301, 302, 303: return HTTPRequest(url: location, method: .get, bodyLimit: bodyLimit)
    case 307, 308: return HTTPRequest(url: location, method: method, bodyLimit: bodyLimit)
    default: return nil
    }
  }
}

extension HTTPRequest: Redacted {
  package var description: String {
    switch method {
    case .get: "GET"
    case .postBytes(let bytes): "POST of \(bytes.count) bytes"
    case .post(let form): "POST of \(form)"
    }
  }
}

package struct HTTPForm: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The fields in the order in which they are sent; a name may come twice.
  package let fields: [QueryItem]

  package init(_ fields: [QueryItem]) { self.fields = fields }

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { QueryItem($0.0, $0.1) }
  }

  var encoded: String { fields.joined(PercentEncoding.encodeForm) }
}

extension HTTPForm: Redacted {
  package var description: String { "form of " + fields.map(\.name).joined(separator: ", ") }
}

extension RedirectURL {
  /// The request of a form with method GET: the fields in place of the query (HTML, form submission).
  package func replacingQuery(_ form: HTTPForm) -> RedirectURL {
    RedirectURL(
      origin: origin, path: path, query: form.encoded, fragment: fragment,
      queryItems: form.fields)
  }
}
