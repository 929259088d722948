/// Brings a hand-off to the identity provider's app and its answer back: the part that only the surrounding program can
/// do.
public protocol AppAccess: Sendable {
  /// Gives the link to the person or the app, on the blocking actor's thread.
  ///
  /// - Returns: the URL that came back, if this call brings it; `nil` to wait until it arrives at
  ///   `invitation.returnAddress`.
  /// - Throws: an error that ends the login as `LoginError.Reason.cancelled`; `LoginError.thrown` has it unchanged.
  func handOver(_ invitation: AppInvitation) throws -> String?
}

/// The data with which the app continues a login. It is no secret of the person, but a secret of the login.
public struct AppInvitation: Sendable, Equatable {
  /// The page's own link, as a phone's camera or browser takes it.
  public let link: RedirectURL
  /// The link for an app on this machine, with the scheme to call back by.
  public let appLink: String
  /// The link as a QR code.
  public let code: RedirectURL.QRCode
  /// The address for the returned URL, in a parameter `url`.
  public let returnAddress: RedirectURL
  /// The purpose, according to the link. Any sender can have written it.
  public let purpose: UntrustedText?
}
