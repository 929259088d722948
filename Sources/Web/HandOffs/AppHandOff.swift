/// A level 1 or 2 link, usable only by the identity provider's app because its protocol with the server is not
/// published.
package struct AppHandOff: Sendable, Hashable {
  /// The levels of assurance that an app provides by itself.
  enum Level: Int, Sendable, Hashable {
    /// User name and password, or a code.
    case one = 1
    /// Those and a second factor.
    case two = 2
  }

  let url: RedirectURL
  let level: Level
  /// The web flow's key, if the link has one; the returned URL must name the same.
  let value: String?
  /// The service provider's name, according to the link.
  package let serviceProvider: UntrustedText?

  init(
    _ url: RedirectURL, _ level: Level, _ parameters: HandOffParameters
  ) throws(HandOffError) {
    if let text = parameters.optional("level"), text != "\(level.rawValue)" {
      throw .link(.malformedParameter("level"))
    }
    self.url = url
    self.level = level
    value = parameters.has("value") ? try parameters.echoValue() : nil
    serviceProvider = parameters.untrusted("SPName")
    try parameters.checkSourceApp()
  }

  /// The level that a path component `livello1` or `livello2`, or the app's path with `level=2`, names.
  static func level(of url: RedirectURL, in environment: LoginEnvironment) -> Level? {
    if url.segments.contains("livello1") { return .one }
    if url.segments.contains("livello2") { return .two }
    return url.isAppLogin(in: environment) ? .two : nil
  }
}

extension RedirectURL {
  /// Checks whether this is `login/app` below the base, with `level=2`.
  func isAppLogin(in environment: LoginEnvironment) -> Bool {
    path == environment.identityProvider.path + "login/app" && value(of: "level") == "2"
  }
}

extension AppHandOff: Redacted {
  /// Level and page, without the parameter that ties it to the login.
  package var description: String { "level \(level.rawValue) login at \(url)" }
}

/// A link that a computer's page shows as a QR code, so that a phone reads the card for it.
///
/// Parameters as cieid-ios-sdk demands them (`AuthRequestNetworkManager.swift`).
package struct HybridHandOff: Sendable, Hashable {
  /// The page that carries the parameters, below the identity provider's base.
  static let page = "erroreQr.jsp"

  let url: RedirectURL
  /// The purpose of the login, according to the link.
  package let operationText: UntrustedText

  init(
    _ url: RedirectURL, _ parameters: HandOffParameters, in environment: LoginEnvironment
  ) throws(HandOffError) {
    guard try parameters.required("opType") == "login" else {
      throw .link(.malformedParameter("opType"))
    }
    self.url = url
    _ = try parameters.required("opId") { operation in
      operation.utf8.count <= 128
        && operation.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "_-".utf8.contains($0) }
    }
    _ = try parameters.nestedURL(
      "IdPName", in: environment, paths: [environment.identityProvider.path])
    _ = try parameters.required("userId") {
      $0.utf8.count <= 32 && $0.utf8.allSatisfy(ASCII.isAlphanumeric)
    }
    _ = try parameters.required("SPName")
    operationText = UntrustedText(try parameters.required("opText"))
    try parameters.checkSourceApp()
  }
}

extension HybridHandOff: Redacted {
  /// The page, without operation and card number.
  package var description: String { "login by phone at \(url)" }
}
