/// Brings a hand-off to the identity provider's app and its answer back: what only the program around this library
/// knows how to do.
public protocol AppAccess: Sendable {
  /// Gives the link to the person or the app, on the card actor's thread.
  ///
  /// - Returns: the URL that came back, if this brings it; `nil` to wait until somebody takes it to
  ///   `invitation.returnAddress`.
  /// - Throws: what ends the login as `LoginFailure.Reason.host`.
  func handOver(_ invitation: AppInvitation) throws -> String?
}

/// What the app needs to go on with a login. It is no secret of the person, but a secret of the login.
public struct AppInvitation: Sendable, Equatable {
  /// The page's own link, as a phone's camera or browser takes it.
  public let link: RedirectURL
  /// The same for an app on this machine, with the scheme to call back by.
  public let appLink: String
  /// The link as a QR code.
  public let code: RedirectURL.QRCode
  /// Where the returned URL may be taken, in a parameter `url`.
  public let returnAddress: RedirectURL
  /// What the link says is asked for. Anybody can have written it.
  public let purpose: UntrustedText?
}
