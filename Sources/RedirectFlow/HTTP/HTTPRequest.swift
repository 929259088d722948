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
struct HTTPForm: Sendable, Hashable {
  /// One field.
  struct Field: Sendable, Hashable {
    /// Its name.
    var name: String
    /// Its value.
    var value: String
  }

  /// The fields in the order in which they are sent.
  var fields: [Field]

  /// Takes fields in their order.
  init(_ fields: [Field]) { self.fields = fields }

  /// application/x-www-form-urlencoded (URL Living Standard §5.2): ASCII letters and digits and `*-._` stay, a space
  /// becomes `+`, every other byte of the UTF-8 encoding is escaped.
  var encoded: String {
    fields.map { Self.escape($0.name) + "=" + Self.escape($0.value) }.joined(separator: "&")
  }

  private static func escape(_ text: String) -> String {
    let digits = [UInt8]("0123456789ABCDEF".utf8)
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        escaped.append(byte)
      case UInt8(ascii: " "): escaped.append(UInt8(ascii: "+"))
      default: escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension HTTPForm: ExpressibleByDictionaryLiteral {
  /// Fields as written, in that order; a name may come twice.
  init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}

extension HTTPForm: Redacted {
  /// The names of the fields.
  var description: String { "form of " + fields.map(\.name).joined(separator: ", ") }
}

extension HTTPForm.Field: Redacted {
  /// Its name.
  var description: String { name }
}
