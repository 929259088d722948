internal import CIECard
package import RedirectFlow
package import System

/// What a service answered: a status, and a JSON value where there is a body.
package struct ServiceAnswer: Sendable {
  /// The status code; never a redirect's.
  package let status: Int
  /// The value; `nil` for an empty body.
  package let json: JSONValue?
  /// How long to wait before asking again, in seconds (RFC 9110 §10.2.3), where the server says so in seconds.
  package let retryAfter: Int?
  /// The body as it came, where it is JSON.
  package let bytes: [UInt8]?
  /// The body as it came, for answers that are a token and not JSON.
  package let text: String?

  /// Reads an answer.
  ///
  /// - Throws: `.redirected`; `.notJSON` for a body of another type, unless it is a token (application/jwt,
  ///   RFC 7519 §10.3.1; application/jose, RFC 7515 §9.2.1, as userinfo of the CIE has it); `.repeatedMember`.
  init(_ response: HTTPResponse) throws(ExchangeProblem) {
    status = response.status
    guard !(300..<400).contains(status) else { throw .redirected(status: status) }
    retryAfter = response.header("retry-after").flatMap(Int.init).map { min(max($0, 0), 3600) }
    let isToken = response.mediaType?.isOfToken == true
    guard !response.body.isEmpty, !isToken else {
      json = nil
      bytes = nil
      text = isToken ? String(validating: response.body, as: UTF8.self) : nil
      return
    }
    text = nil
    guard response.isJSON else {
      // An error may come from a gateway, whose page says nothing that is of use here.
      guard status >= 400 else { throw .notJSON(status: status) }
      json = nil
      bytes = nil
      return
    }
    bytes = response.body
    do throws(JSONProblem) { json = try JSONValue(response.body) } catch {
      throw .notJSON(status: status)
    }
    if let name = json?.repeatedMember { throw .repeatedMember(name) }
  }

  /// Whether the request was done.
  package var isSuccess: Bool { (200..<300).contains(status) }

  /// A member that is a text.
  package func text(_ name: String) -> String? { json?[name]?.text }

  /// A member that must be a text that is not empty.
  package func requiredText(_ name: String) throws(ExchangeProblem) -> String {
    guard let text = text(name), !text.isEmpty else { throw .missingMember(name) }
    return text
  }

  /// A member that must be an address with which the login goes on; where it leads is checked when it is used.
  package func requiredURL(_ name: String) throws(ExchangeProblem) -> RedirectURL {
    do throws(RedirectURL.Problem) { return try RedirectURL(try urlText(name)) } catch {
      throw .wrongMember(name)
    }
  }

  private func urlText(_ name: String) throws(RedirectURL.Problem) -> String { text(name) ?? "" }
}

extension HTTPResponse {
  /// The media type without its parameters, in lower case (RFC 9110 §8.3.1).
  fileprivate var mediaType: String? {
    header("content-type").map {
      let type = $0.prefix { $0 != ";" }
      return type.lowercased().filter { !$0.isWhitespace }
    }
  }

  fileprivate var isJSON: Bool {
    guard let mediaType else { return false }
    return mediaType == "application/json" || mediaType.hasSuffix("+json")
  }
}

extension String {
  /// Whether a media type is that of a token in compact form.
  fileprivate var isOfToken: Bool {
    ["application/jwt", "application/jose"].contains(self) || hasSuffix("+jwt")
  }
}

extension JSONValue {
  /// A name that stands twice in one object, at any depth: two programs would read different values.
  package var repeatedMember: String? {
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
  /// The status.
  package var description: String { "HTTP status \(status)" }
}

/// Why an exchange with a service is of no use. No case holds what was sent or answered.
package enum ExchangeProblem: Error, Sendable, Equatable {
  /// The server was not reached, is not trusted, or broke off.
  case http(HTTPError)
  /// An address that is not `https`.
  case notHTTPS
  /// A server that the service description does not name.
  case foreignHost(RedirectURL.Origin)
  /// A redirect, which is not followed with secrets.
  case redirected(status: Int)
  /// A success without a JSON text in it.
  case notJSON(status: Int)
  /// A member that stands twice.
  case repeatedMember(String)
  /// A member that is not there, or is no text, or empty.
  case missingMember(String)
  /// A member whose value is not of the kind that it must be.
  case wrongMember(String)
  /// A token with characters that no header field may hold.
  case unusableToken
}
