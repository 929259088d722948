internal import CIECard

/// A level 3 link: everything that the card's call and the completed URL need, judged.
public struct CardHandOff: Sendable, Hashable {
  /// The link.
  public let url: RedirectURL
  /// The name of the query parameter that ties the calls to the page; in practice `conversation`.
  public let name: String
  /// Its value; in practice a web flow's key such as `e1s1`.
  public let value: String
  /// The opaque request, to be sent back as it is.
  public let authnRequest: String
  /// What the link says the login is for.
  public let operationText: UntrustedText?
  /// What the link says is the service provider's logo. Not to be fetched before the person has agreed.
  public let logo: UntrustedText?
  /// Where the page goes on.
  public let nextURL: RedirectURL
  /// The URL scheme that the sender wants to be called back by.
  public let sourceApp: String?
  private let challengeCompletion: RedirectURL

  init(
    _ url: RedirectURL, _ parameters: HandOffParameters, in environment: LoginEnvironment
  ) throws(HandOffProblem) {
    self.url = url
    name = try parameters.echoName()
    value = try parameters.echoValue()
    authnRequest = try parameters.authnRequest()
    nextURL = try parameters.nestedURL("nextUrl", in: environment, paths: environment.nextPaths)
    operationText = parameters.untrusted("OpText")
    logo = parameters.untrusted("imgUrl")
    sourceApp = try parameters.sourceApp()
    challengeCompletion = environment.challengeCompletion
  }

  /// The page's way on after mutual TLS: `<nextUrl>?<name>=<value>&login=1&codice=<16 digits>`.
  ///
  /// The code is used up: it is a bearer secret for one use.
  public func completedURL(code: consuming LoginCode) -> RedirectURL {
    nextURL.adding([
      QueryItem(name, value), QueryItem("login", "1"), QueryItem("codice", code.digits),
    ])
  }

  /// The page's way on after a signed challenge, below the environment's own base:
  /// `…Second?challenge=<signature in upper-case hexadecimal>&<name>=<value>`.
  public func challengeCompletionURL(signature: [UInt8]) -> RedirectURL {
    challengeCompletion.adding([
      QueryItem("challenge", signature.hexadecimal), QueryItem(name, value),
    ])
  }
}

extension CardHandOff: Redacted {
  /// Where the page goes on, without what ties it to the login.
  public var description: String { "card login for \(nextURL)" }
}
