internal import Primitives

/// Levels 1 and 2, and level 3 by phone: the app logs in, this waits for the URL that it returns.
///
/// The app's protocol with its server is not published, so this cannot take its part.
struct AppHandOffLogin {
  let configuration: LoginConfiguration
  let app: any AppAccess
  let cancellation: LoginCancellation

  /// Hands the link over and checks the app's answer.
  ///
  /// - Returns: the address that continues the login, in the session in which it began.
  /// - Throws: `.app` for an error of the app, `.handOff` for an invalid answer, or none.
  func complete(_ handOff: HandOff) throws(LoginError) -> RedirectURL {
    let text = try answer(to: handOff)
    let returned = try mapError(
      try ReturnURL(text, in: configuration.environment, answering: handOff)
    ) { LoginError(.handOff($0)) }
    switch returned {
    case .completed(let url), .resumed(let url): return url
    case .failed(.cancelledByUser): throw LoginError(.cancelled)
    case .failed(let failure): throw LoginError(.app(failure))
    }
  }

  private func answer(to handOff: HandOff) throws(LoginError) -> String {
    let listener = try mapError(try ReturnListener(configuration.returnWords)) {
      LoginError(.handOff($0))
    }
    let invitation = try invitation(to: handOff, listener.address)
    return try cancellation.ending({ listener.cancel() }) { () throws(LoginError) in
      try cancellation.check()
      let text = try mapError(try app.handOver(invitation)) { LoginError(endedBy: $0) }
      if let text { return text }
      return try mapError(try listener.wait(timeout: configuration.appTimeout)) {
        LoginError($0 == .listener(.cancelled) ? .cancelled : .handOff($0))
      }
    }
  }

  private func invitation(
    to handOff: HandOff, _ address: RedirectURL
  ) throws(LoginError) -> AppInvitation {
    guard let code = RedirectURL.QRCode(handOff.url.text) else { throw LoginError(.qrCode) }
    return AppInvitation(
      link: handOff.url, appLink: handOff.appLink(returningTo: configuration.callbackScheme),
      code: code,
      returnAddress: address, purpose: handOff.purpose)
  }
}

extension HandOff {
  var purpose: UntrustedText? {
    switch self {
    case .card(let link): link.operationText
    case .app(let link): link.serviceProvider
    case .hybrid(let link): link.operationText
    }
  }
}
