/// A link that a computer's page shows as a QR code, so that a phone reads the card for it.
///
/// Parameters as cieid-ios-sdk demands them (`AuthRequestNetworkManager.swift`).
public struct HybridHandOff: Sendable, Hashable {
  /// The page that carries the parameters, below the identity provider's base.
  static let page = "erroreQr.jsp"

  /// The link.
  public let url: RedirectURL
  /// The operation's identifier.
  public let operation: String
  /// The identity provider's base URL, as the link names it.
  public let identityProvider: RedirectURL
  /// The number of the card that must be read.
  public let cardNumber: String
  /// What the link says is the service provider.
  public let serviceProvider: UntrustedText
  /// What the link says the login is for.
  public let operationText: UntrustedText
  /// What the link says is the service provider's logo.
  public let logo: UntrustedText?
  /// The URL scheme that the sender wants to be called back by.
  public let sourceApp: String?

  init(
    _ url: RedirectURL, _ parameters: HandOffParameters, in environment: LoginEnvironment
  ) throws(HandOffProblem) {
    guard try parameters.required("opType") == "login" else {
      throw .malformedParameter("opType")
    }
    self.url = url
    operation = try parameters.required("opId", limit: 128) {
      ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
    identityProvider = try parameters.nestedURL(
      "IdPName", in: environment, paths: [environment.identityProvider.path])
    cardNumber = try parameters.required("userId", limit: 32, where: ASCII.isAlphanumeric)
    serviceProvider = UntrustedText(try parameters.required("SPName"))
    operationText = UntrustedText(try parameters.required("opText"))
    logo = parameters.untrusted("SPLogo")
    sourceApp = try parameters.sourceApp()
  }
}

extension HybridHandOff: Redacted {
  /// The page, without operation and card number.
  public var description: String { "login by phone at \(url)" }
}
