internal import Primitives

/// The parameters of a link, each there once.
struct HandOffParameters {
  private let values: [String: String]

  /// Parameters of the card calls and of the completed URL. A link with one of them is an injection.
  static let reserved: Set<String> = [
    "login", "codice", "authnRequest", "generaCodice", "cert",
  ]

  init(_ items: [QueryItem]) throws(HandOffError) {
    var values: [String: String] = [:]
    for item in items {
      guard !item.name.isEmpty else { throw .link(.malformedParameter("")) }
      guard values.updateValue(item.value, forKey: item.name) == nil else {
        throw .link(.repeatedParameter(item.name))
      }
      guard !Self.reserved.contains(item.name) else { throw .link(.injectedParameter(item.name)) }
    }
    self.values = values
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func optional(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  func untrusted(_ name: String) -> UntrustedText? { optional(name).map(UntrustedText.init) }

  func required(_ name: String) throws(HandOffError) -> String {
    guard let value = optional(name) else { throw .link(.missingParameter(name)) }
    return value
  }

  func required(
    _ name: String, where isValid: (String) -> Bool
  ) throws(HandOffError) -> String {
    let value = try required(name)
    guard isValid(value) else { throw .link(.malformedParameter(name)) }
    return value
  }

  /// The value to echo, such as the web flow's key `e1s1`.
  func echoValue() throws(HandOffError) -> String {
    try required("value", where: Self.isEchoValue)
  }

  /// Checks the URL scheme for the sender's callback, if there is one.
  func checkSourceApp() throws(HandOffError) {
    guard let scheme = values["sourceApp"] else { return }
    guard scheme.utf8.count <= 64, ASCII.isScheme(scheme.utf8) else {
      throw .link(.malformedParameter("sourceApp"))
    }
  }

  /// A URL inside the link: `https`, in the environment, with one of these paths and no query.
  func nestedURL(
    _ name: String, in environment: LoginEnvironment, paths: Set<String>
  ) throws(HandOffError) -> RedirectURL {
    let text = try required(name)
    let url = try mapError(try RedirectURL(text)) { HandOffError.link(.nestedURL(name, $0)) }
    guard url.scheme == .https else { throw .link(.nestedNotHTTPS(name)) }
    guard environment.isIdentityProvider(url) else {
      throw .link(.nestedElsewhere(name, url.origin))
    }
    guard url.query == nil else { throw .link(.nestedQuery(name)) }
    guard paths.contains(url.path) else { throw .link(.nestedPath(name)) }
    return url
  }

  /// `^[A-Za-z][A-Za-z0-9_.-]{0,31}$`, and none that the server's calls use themselves.
  static func isEchoName(_ name: String) -> Bool {
    name.utf8.first.map(ASCII.isLetter) == true && name.utf8.count <= 32
      && name.utf8.allSatisfy(isKeyCharacter) && !reserved.contains(name) && name != "challenge"
  }

  /// `^[A-Za-z0-9._-]{1,64}$`.
  static func isEchoValue(_ value: String) -> Bool {
    (1...64).contains(value.utf8.count) && value.utf8.allSatisfy(isKeyCharacter)
  }

  private static func isKeyCharacter(_ byte: UInt8) -> Bool {
    ASCII.isUnreserved(byte) && byte != UInt8(ascii: "~")
  }
}
