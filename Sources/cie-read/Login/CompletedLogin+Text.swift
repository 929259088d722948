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
    let arguments: [String: Message.Argument] = ["url": session.url, "status": session.status]
    let done = Message("login.done", arguments)(language)
    guard !session.attributes.isEmpty else { return [done] }
    guard showsValues else {
      let names = session.attributes.map(\.name).joined(separator: ", ")
      return [done, Message("login.told", ["names": names])(language)]
    }
    return [done]
      + session.attributes.map {
        let value = $0.values.joined(separator: ", ")
        return "  "
          + Message("labelled", ["label": $0.friendlyName ?? $0.name, "value": value])(language)
      }
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
