/// Levels 1 and 2, and level 3 by phone: the app logs in, this waits for the URL that it comes back with.
///
/// How the app speaks with its server is not published, so nothing else can be done here.
struct AppHandOffLogin {
  let environment: LoginEnvironment
  let app: any AppAccess
  /// The scheme that the app is to call back by.
  let scheme: String?
  /// How long the app may take.
  let timeout: Duration
  /// What the browser shows when the app came back.
  let words: LoginConfiguration.ReturnWords
  let cancellation: LoginCancellation

  /// Hands the link over and checks what comes back.
  ///
  /// - Returns: where the login goes on, in the session in which it began.
  /// - Throws: `.app` for an error of the app, `.appReturn` for what is no answer, `.listener`.
  func complete(_ handOff: HandOff) throws(LoginError) -> RedirectURL {
    let text = try answer(to: handOff)
    let returned: ReturnURL
    do throws(ReturnProblem) {
      returned = try ReturnURL(text, in: environment, answering: handOff)
    } catch { throw .appReturn(error) }
    switch returned {
    case .completed(let url), .resumed(let url): return url
    case .failed(.cancelledByUser): throw .cancelled
    case .failed(let failure): throw .app(failure)
    }
  }

  private func answer(to handOff: HandOff) throws(LoginError) -> String {
    let listener: ReturnListener
    do throws(ReturnListenerError) { listener = try ReturnListener(ReturnPage(words)) } catch {
      throw .listener(error)
    }
    let invitation = try invitation(to: handOff, listener.address)
    return try cancellation.ending({ listener.cancel() }) { () throws(LoginError) in
      try cancellation.check()
      do { if let text = try app.handOver(invitation) { return text } } catch {
        throw LoginError(host: error)
      }
      do throws(ReturnListenerError) { return try listener.wait(timeout: timeout) } catch {
        throw error == .cancelled ? .cancelled : .listener(error)
      }
    }
  }

  private func invitation(
    to handOff: HandOff, _ address: RedirectURL
  ) throws(LoginError) -> AppInvitation {
    let code: RedirectURL.QRCode
    do throws(QRCodeProblem) { code = try RedirectURL.QRCode(handOff.url.text) } catch {
      throw .qrCode(error)
    }
    return AppInvitation(
      link: handOff.url, appLink: handOff.appLink(returningTo: scheme), code: code,
      returnAddress: address, purpose: handOff.purpose)
  }
}

extension HandOff {
  /// What the link says is asked for.
  var purpose: UntrustedText? {
    switch self {
    case .card(let link): link.operationText
    case .app(let link): link.serviceProvider
    case .hybrid(let link): link.operationText
    }
  }
}

extension ReturnPage {
  /// The page in the words of the program around.
  package init(_ words: LoginConfiguration.ReturnWords) {
    self.init()
    language = words.language
    title = words.title
    acceptance = words.accepted
    refusal = words.refused
  }
}
