/// Response of the service's `auth-spid`: a signed request, and the address of its provider.
public struct SPIDRequest: Sendable {
  static let lengthLimit = 256 << 10

  /// Address to which the request is posted.
  public let destination: RedirectURL
  private let message: AuthnRequest

  /// Parses `{"xmlAuthRequest": …, "destinationUrl": …}`, the request as XML or as its base64.
  ///
  /// - Parameters:
  ///   - bytes: the JSON.
  ///   - hosts: servers to which the request may go, as `host` or `host:port`.
  /// - Throws: `SignInError` for a malformed response, a destination that is not `https` or not on these hosts, and a
  ///   request for another destination.
  public init(json bytes: [UInt8], hosts: [String]) throws(SignInError) {
    let origins = hosts.compactMap { try? RedirectURL("https://" + $0).origin }
    try self.init(json: bytes, to: Set(origins))
  }

  init(json bytes: [UInt8], to origins: Set<RedirectURL.Origin>) throws(SignInError) {
    guard bytes.count <= Self.lengthLimit, let value = try? JSONValue(bytes) else {
      throw .exchange(.notJSON(status: 200))
    }
    if let name = value.repeatedMember { throw .exchange(.repeatedMember(name)) }
    try self.init(value, to: origins)
  }

  init(_ answer: JSONValue, to origins: Set<RedirectURL.Origin>) throws(SignInError) {
    guard let address = answer["destinationUrl"]?.text else {
      throw .exchange(.missingMember("destinationUrl"))
    }
    guard let request = answer["xmlAuthRequest"]?.text else {
      throw .exchange(.missingMember("xmlAuthRequest"))
    }
    guard let destination = try? RedirectURL(address), destination.fragment == nil else {
      throw .exchange(.wrongMember("destinationUrl"))
    }
    try destination.check(on: origins)
    // Checked here, because the provider would refuse a request for another one only after receiving it.
    guard let message = try? AuthnRequest(request), message.destination == address else {
      throw .exchange(.wrongMember("xmlAuthRequest"))
    }
    self.destination = destination
    self.message = message
  }

  /// Form to post (SAML 2.0 Bindings §3.5.4).
  var form: HTTPForm { ["SAMLRequest": message.base64] }

  /// Page that posts the request as soon as a browser shows it. In a file, it must be readable by the person only.
  ///
  /// - Parameter words: language and title of the page.
  public func page(_ words: ReturnWords) -> [UInt8] {
    FormPage(sending: form, to: destination, words).file
  }
}
