import CardWork
import Messages
import RedirectFlow
import Primitives

extension CompletedLogin: Presentable {
  var failure: Failure? {
    if case .refused(let status) = self { .login(.refusedByIdentityProvider(status)) } else { nil }
  }

  func lines(_ language: Language) -> [String] {
    switch self {
    case .address(let address):
      address.isCopied || address.isOpened ? [] : [address.url.text]
    case .left: [Message("login.left-in-browser")(language)]
    case .loggedIn(let own): own.lines(language)
    case .refused: []
    }
  }

  func members(_ language: Language) -> [JSON.Member] {
    switch self {
    case .address(let address):
      [
        .init("completedUrl", address.url.text), .init("copied", address.isCopied),
        .init("opened", address.isOpened),
      ]
    case .left(let browser, let page):
      [.init("browser", browser), .init("url", page.description)]
    case .loggedIn(let own): own.members
    case .refused(let status): [.init("samlStatus", status.uri)]
    }
  }
}

extension CompletedLogin.OwnLogin {
  /// The query of the last page may be any text, and is not shown.
  fileprivate func lines(_ language: Language) -> [String] {
    let done = [Message("login.done", ["url": session.url])(language)]
    let end = isKept || cookies != nil ? [] : [Message("login.session-ends")(language)]
    guard !session.attributes.isEmpty else { return done + end }
    guard showsValues else {
      let names = session.attributes.map { $0.friendlyName ?? $0.name }.joined(separator: ", ")
      return done + [Message("login.told", ["names": names])(language)] + end
    }
    return done
      + session.attributes.map {
        let value = $0.values.joined(separator: ", ")
        return "  "
          + Message("labelled", ["label": $0.friendlyName ?? $0.name, "value": value])(language)
      } + end
  }

  fileprivate var members: [JSON.Member] {
    let members: [JSON.Member] = [
      .init("finalUrl", session.url.description), .init("status", session.status),
      .init("cookies", cookies), .init("samlStatus", session.samlStatus.uri),
      .init("attributes", .array(session.attributes.map { .string($0.name) })),
    ]
    guard showsValues else { return members }
    let values = session.attributes.map { attribute in
      JSON.object([
        .init("name", attribute.name), .init("friendlyName", attribute.friendlyName),
        .init("values", .array(attribute.values.map(JSON.string))),
      ])
    }
    return members + [.init("attributeValues", .array(values))]
  }
}
