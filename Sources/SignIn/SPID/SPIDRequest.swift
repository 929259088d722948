internal import CIECard
public import RedirectFlow
internal import System

/// What the service answers to `auth-spid`: a signed request, and the provider's address that it is for.
public struct SPIDRequest: Sendable {
  /// The longest answer, in bytes.
  static let lengthLimit = 256 << 10

  /// Where the request goes, by POST.
  public let destination: RedirectURL
  private let message: AuthnRequest

  /// Reads `{"xmlAuthRequest": …, "destinationUrl": …}`, the request as XML or as its base64.
  ///
  /// - Parameters:
  ///   - bytes: the JSON.
  ///   - hosts: where the request may go, as `host` or `host:port`.
  /// - Throws: `SignInError` for an answer that cannot be read, a destination that is not `https` or not of these hosts,
  ///   and a request that is for another destination.
  public init(json bytes: [UInt8], hosts: [String]) throws(SignInError) {
    let origins = hosts.compactMap { try? RedirectURL("https://" + $0).origin }
    try self.init(json: bytes, to: Set(origins))
  }

  init(json bytes: [UInt8], to origins: Set<RedirectURL.Origin>) throws(SignInError) {
    guard bytes.count <= Self.lengthLimit, let value = try? JSONValue(bytes) else {
      throw SignInError(.exchange(.notJSON(status: 200)))
    }
    if let name = value.repeatedMember { throw SignInError(.exchange(.repeatedMember(name))) }
    do throws(ExchangeProblem) { try self.init(value, to: origins) } catch {
      throw SignInError(error)
    }
  }

  init(_ answer: JSONValue, to origins: Set<RedirectURL.Origin>) throws(ExchangeProblem) {
    guard let address = answer["destinationUrl"]?.text else {
      throw .missingMember("destinationUrl")
    }
    guard let request = answer["xmlAuthRequest"]?.text else {
      throw .missingMember("xmlAuthRequest")
    }
    guard let destination = try? RedirectURL(address), destination.fragment == nil else {
      throw .wrongMember("destinationUrl")
    }
    guard destination.scheme == .https else { throw .notHTTPS }
    guard origins.contains(destination.origin) else { throw .foreignHost(destination.origin) }
    // The provider refuses a request that is for another one; it need not see it.
    guard let message = try? AuthnRequest(request), message.destination == address else {
      throw .wrongMember("xmlAuthRequest")
    }
    self.destination = destination
    self.message = message
  }

  /// What is posted (SAML 2.0 Bindings §3.5.4).
  var form: HTTPForm { ["SAMLRequest": message.base64] }

  /// A page that posts the request as soon as a browser shows it. Written to a file, only the person may read that.
  ///
  /// - Parameter words: the page's language, and its title.
  public func page(_ words: LoginConfiguration.ReturnWords) -> [UInt8] {
    FormPage(sending: form, to: destination, ReturnPage(words)).file
  }
}
