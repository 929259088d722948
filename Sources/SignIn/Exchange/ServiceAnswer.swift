internal import Primitives

/// Response of a service: a status, and a JSON value if it has a body.
struct ServiceAnswer: Sendable {
  /// Status code, never of a redirect.
  let status: Int
  /// JSON value; `nil` for an empty body.
  private(set) var json: JSONValue?
  /// Delay before the next request in seconds (RFC 9110 §10.2.3), at most 3600; `nil` without a number.
  let retryAfter: Int?
  /// Body as received, if it is JSON.
  private(set) var bytes: [UInt8]?
  /// Body as received, if it is a token instead of JSON.
  private(set) var text: String?

  /// - Throws: `.redirected`; `.notJSON` for a body of another type, unless it is a token (application/jwt, RFC 7519
  ///   §10.3.1; application/jose, RFC 7515 §9.2.1, as for the CIE's userinfo); `.repeatedMember`.
  init(_ response: HTTPResponse) throws(SignInError) {
    status = response.status
    guard !(300..<400).contains(status) else { throw .exchange(.redirected(status: status)) }
    retryAfter = response.header("retry-after").flatMap(Int.init).map { min(max($0, 0), 3600) }
    let type = response.mediaType
    let isToken = ["application/jwt", "application/jose"].contains(type) || type.hasSuffix("+jwt")
    guard !response.body.isEmpty, !isToken else {
      text = isToken ? String(validating: response.body, as: UTF8.self) : nil
      return
    }
    guard type == "application/json" || type.hasSuffix("+json") else {
      // An error may come from a gateway, whose page has nothing of use here.
      guard status >= 400 else { throw .exchange(.notJSON(status: status)) }
      return
    }
    bytes = response.body
    json = try mapError(try JSONValue(response.body)) { (_: JSONProblem) in
      SignInError.exchange(.notJSON(status: status))
    }
    if let name = json?.repeatedMember { throw .exchange(.repeatedMember(name)) }
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  func text(_ name: String) -> String? { json?[name]?.text }

  /// This response, unless it is that of an error.
  func granted() throws(SignInError) -> ServiceAnswer {
    guard isSuccess else { throw SignInError(refusedBy: self) }
    return self
  }

  func requiredJSON() throws(SignInError) -> JSONValue {
    guard let json else { throw .exchange(.notJSON(status: status)) }
    return json
  }

  /// Returns a required string, which must not be empty.
  func requiredText(_ name: String) throws(SignInError) -> String {
    guard let text = text(name), !text.isEmpty else { throw .exchange(.missingMember(name)) }
    return text
  }

  /// Returns a required address; its server is checked at its use.
  func requiredURL(_ name: String) throws(SignInError) -> RedirectURL {
    return try mapError(try RedirectURL(text(name) ?? "")) { (_: RedirectURL.Problem) in
      SignInError.exchange(.wrongMember(name))
    }
  }

  /// Returns a required address on one of these servers.
  func requiredURL(
    _ name: String, on servers: Set<RedirectURL.Origin>
  ) throws(SignInError) -> RedirectURL {
    let url = try requiredURL(name)
    try url.check(on: servers)
    return url
  }
}

extension HTTPResponse {
  /// The media type without its parameters, in lower case (RFC 9110 §8.3.1); empty if there is none.
  fileprivate var mediaType: String {
    let type = (header("content-type") ?? "").prefix { $0 != ";" }
    return type.lowercased().filter { !$0.isWhitespace }
  }
}

extension JSONValue {
  /// Array of strings; `nil` for any other value.
  var texts: [String]? {
    guard case .array(let elements) = self else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }

  /// Name of a duplicate member in one object, at any depth; parsers would disagree on its value.
  var repeatedMember: String? {
    switch self {
    case .object(let members):
      var seen: Set<String> = []
      for (name, value) in members {
        if !seen.insert(name).inserted { return name }
        if let name = value.repeatedMember { return name }
      }
      return nil
    case .array(let elements): return elements.lazy.compactMap(\.repeatedMember).first
    case .string, .number, .flag, .null: return nil
    }
  }
}

extension ServiceAnswer: Redacted {
  var description: String { "HTTP status \(status)" }
}

extension SignInError {
  /// Creates the error of an error response, from its error code if it has one.
  init(refusedBy answer: ServiceAnswer) {
    guard let word = answer.text("error") else {
      self.init(
        answer.status == 429
          ? .tooManyRequests(retryAfter: answer.retryAfter) : .status(answer.status))
      return
    }
    self.init(refusal: word, answer.text("error_description"))
  }
}
