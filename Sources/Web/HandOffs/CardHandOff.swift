internal import Primitives

/// A level 3 link: the parameters of the card's call and the completed URL, checked.
package struct CardHandOff: Sendable, Hashable {
  let url: RedirectURL
  /// The name of the query parameter that ties the calls to the page; in practice `conversation`.
  package let name: String
  /// Its value; in practice a web flow's key such as `e1s1`.
  package let value: String
  /// The opaque request, to be sent back unchanged: 1 to 4096 bytes without control characters.
  package let authnRequest: String
  /// The purpose of the login, according to the link.
  package let operationText: UntrustedText?
  let nextURL: RedirectURL
  private let challengeCompletion: RedirectURL

  init(
    _ url: RedirectURL, _ parameters: HandOffParameters, in environment: LoginEnvironment
  ) throws(HandOffError) {
    self.url = url
    name = try parameters.required("name", where: HandOffParameters.isEchoName)
    value = try parameters.echoValue()
    authnRequest = try parameters.required("authnRequestString") { request in
      request.utf8.count <= 4096
        && request.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    nextURL = try parameters.nestedURL("nextUrl", in: environment, paths: environment.nextPaths)
    operationText = parameters.untrusted("OpText")
    try parameters.checkSourceApp()
    challengeCompletion = environment.challengeCompletion
  }

  /// The page's next address after mutual TLS: `<nextUrl>?<name>=<value>&login=1&codice=<16 digits>`.
  ///
  /// The code is used up: it is a bearer secret for one use.
  package func completedURL(code: consuming LoginCode) -> RedirectURL {
    nextURL.adding([
      QueryItem(name, value), QueryItem("login", "1"), QueryItem("codice", code.digits),
    ])
  }

  /// The page's next address after a signed challenge, below the environment's own base: `…Second?challenge=<signature
  /// in upper-case hexadecimal>&<name>=<value>`.
  package func challengeCompletionURL(signature: [UInt8]) -> RedirectURL {
    challengeCompletion.adding([
      QueryItem("challenge", signature.hexadecimal), QueryItem(name, value),
    ])
  }
}

extension CardHandOff: Redacted {
  /// The page's next address, without the parameter that ties it to the login.
  package var description: String { "card login for \(nextURL)" }
}

/// The code that the identity provider gives for a login with the card.
///
/// It is a bearer secret, so it is neither copied nor printed: it can only be used up, once.
package struct LoginCode: ~Copyable, Sendable {
  /// The longest answer that is looked at, in bytes.
  package static let bodyLimit = 1 << 10

  /// 16 decimal digits.
  let digits: String

  /// Takes the code out of an answer that is, between ASCII white space, `codice:` and 16 digits and nothing else.
  ///
  /// Known clients accept any text after the colon; this one does not, because it goes into a URL.
  package init(responseBody: [UInt8]) throws(HandOffError) {
    guard responseBody.count <= Self.bodyLimit else { throw .code(.tooLong) }
    let text = responseBody.trimmed(ASCII.isSpace)
    guard !text.isEmpty else { throw .code(.empty) }
    let marker = "codice:".utf8
    guard text.starts(with: marker) else { throw .code(.noMarker) }
    let digits = text.dropFirst(marker.count)
    guard digits.allSatisfy(ASCII.isDigit) else { throw .code(.notDigits) }
    guard digits.count == 16 else { throw .code(.wrongLength(digits.count)) }
    self.digits = String(decoding: digits, as: UTF8.self)
  }
}
