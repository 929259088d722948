import CardWork
import Messages
import Primitives
import RedirectFlow

struct CompletedAddress: Sendable {
  let url: RedirectURL
  var isCopied = false
  var isOpened = false
}

/// The programs of the desktop to which such an address is handed.
struct AddressUse {
  private let clipboard: DesktopProgram?
  private let opener: DesktopProgram?

  /// Checks that the requested uses are possible, before a card is asked for anything.
  init(_ options: LoginEndOptions) throws(Failure) {
    clipboard = options.copy ? .clipboard : nil
    opener = options.open ? .opener : nil
    for (option, isMissing) in [
      ("--copy", options.copy && clipboard == nil), ("--open", options.open && opener == nil),
    ] where isMissing {
      throw .usage("no-desktop-program", ["option": option])
    }
  }

  /// Hands it over. If the desktop fails to take it, it is printed after all, because it cost a login.
  func handOver(_ address: inout CompletedAddress, in context: RunContext) {
    address.isCopied = clipboard?.run(input: address.url.text) ?? false
    address.isOpened = opener?.run(word: address.url.text) ?? false
    let isAskedFor = clipboard != nil || opener != nil
    let words =
      isAskedFor && !address.isCopied && !address.isOpened
      ? Message("address.failed")
      : address.isOpened ? Message("address.opened") : Message("address.open")
    let lines = (address.isCopied ? [Message("address.copied")] : []) + [words]
    context.tell(lines.map { $0(context.language) })
  }
}

extension CompletedLogin: Presentable {
  var failure: Failure? {
    if case .refused(let status) = self {
      .login(LoginError(.refusedByIdentityProvider(status)))
    } else {
      nil
    }
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
      .init("attributes", session.attributes.map(\.name)),
    ]
    guard showsValues else { return members }
    let values = session.attributes.map { attribute in
      JSON.object([
        .init("name", attribute.name), .init("friendlyName", attribute.friendlyName),
        .init("values", attribute.values),
      ])
    }
    return members + [.init("attributeValues", .array(values))]
  }
}
