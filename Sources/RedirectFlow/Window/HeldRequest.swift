internal import Primitives

/// A request for a page, or the response to one, that the browser holds until a command decides on it
/// (`Fetch.requestPaused`).
struct HeldRequest: Sendable {
  /// The identifier for commands.
  let id: String
  let frame: String
  /// The address, as the browser writes it.
  let address: String
  let isRedirect: Bool
  /// The page, or the redirect, that makes the request, if the browser reports it; empty for the person's own.
  let initiator: String?
  /// The status of the response; `nil` for a request.
  let status: Int?
  let responseHeaders: [HTTPResponse.Header]
  let hasFailed: Bool
  private let requestHeaders: [(name: String, value: String)]

  init?(_ values: JSONValue) {
    guard let id = values["requestId"]?.text, let frame = values["frameId"]?.text,
      let address = values["request"]?["url"]?.text
    else { return nil }
    self.id = id
    self.frame = frame
    self.address = address
    initiator = values["initiator"]?.text
    isRedirect = values["redirectedRequestId"] != nil
    status = values["responseStatusCode"]?.integer
    hasFailed = values["responseErrorReason"] != nil
    if case .object(let fields)? = values["request"]?["headers"] {
      requestHeaders = fields.compactMap { field in field.value.text.map { (field.name, $0) } }
    } else {
      requestHeaders = []
    }
    if case .array(let fields)? = values["responseHeaders"] {
      responseHeaders = fields.compactMap { field in
        guard let name = field["name"]?.text, let value = field["value"]?.text else { return nil }
        return HTTPResponse.Header(name: ASCII.lowercased(name.utf8), value: value)
      }
    } else {
      responseHeaders = []
    }
  }

  /// The request's header fields as from another user agent, without client hints of the real one.
  func headers(asFrom userAgent: String) -> JSON {
    let kept = requestHeaders.filter { field in
      let name = ASCII.lowercased(field.name.utf8)
      return name != "user-agent" && !name.hasPrefix("sec-ch-ua")
    }
    return .array(
      (kept + [("User-Agent", userAgent)]).map { field in
        .object([.init("name", field.name), .init("value", field.value)])
      })
  }

  /// The response with a body as `Fetch.getResponseBody` returns it.
  ///
  /// - Returns: `nil` for a request.
  func response(_ body: JSONValue?) -> HTTPResponse? {
    guard let status else { return nil }
    let text = [UInt8]((body?["body"]?.text ?? "").utf8)
    let bytes = body?["base64Encoded"]?.isTrue == true ? Base64.decode(text) : text
    return try? HTTPResponse(
      status: status, url: address, headers: responseHeaders, body: bytes ?? [])
  }
}

extension HTTPError {
  /// The reason why a browser could not open a page, by the name of its network error: Chromium's (`net_error_list.h`)
  /// or Firefox's (`xpc.msg`; NSS, `secerr.h` and `sslerr.h`).
  init(browserError name: String, host: String) {
    // Firefox writes those of NSS as NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SEC_ERROR_UNKNOWN_ISSUER).
    self =
      switch name.split(whereSeparator: { "(, )".contains($0) }).last {
      case "net::ERR_NAME_NOT_RESOLVED", "NS_ERROR_UNKNOWN_HOST": .resolve(host: host)
      case "net::ERR_CONNECTION_REFUSED", "net::ERR_ADDRESS_UNREACHABLE",
        "net::ERR_INTERNET_DISCONNECTED", "NS_ERROR_CONNECTION_REFUSED", "NS_ERROR_OFFLINE":
        .connect(host: host)
      case "net::ERR_TIMED_OUT", "net::ERR_CONNECTION_TIMED_OUT", "NS_ERROR_NET_TIMEOUT":
        .timeout
      case "net::ERR_CERT_DATE_INVALID", "SEC_ERROR_EXPIRED_CERTIFICATE",
        "SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE":
        .serverCertificate(.expired)
      case "net::ERR_CERT_COMMON_NAME_INVALID", "SSL_ERROR_BAD_CERT_DOMAIN":
        .serverCertificate(.wrongHost)
      case "net::ERR_CERT_AUTHORITY_INVALID", "SEC_ERROR_UNKNOWN_ISSUER",
        "MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT":
        .serverCertificate(.unknownAuthority)
      case "net::ERR_INVALID_HTTP_RESPONSE", "net::ERR_INVALID_REDIRECT": .malformedResponse
      default: .disconnected
      }
  }
}
