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

extension CompletedLogin: FunctionResult {
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

  static let alternatives = [
    ["completedUrl", "copied", "opened"],
    ["finalUrl", "status", "cookies", "samlStatus", "attributes"], ["browser", "url"],
  ]

  static let members: [Member<CompletedLogin>] =
    [
      .whenPresent(
        "completedUrl", { $0.address?.url.text },
        note: "With a link: the address with which its browser goes on. It is worth the login."),
      .whenPresent("copied") { $0.address?.isCopied },
      .whenPresent("opened") { $0.address?.isOpened },
    ]
    + Member.facts(of: \.own?.session).replacing(
      "samlStatus",
      with: [.whenPresent("cookies") { $0.own.map { own in own.cookies } }]
        + Member.facts(of: \.status))
    + [
      .whenPresent(
        "attributeValues", { $0.own?.shownValues }, note: "With --show-attributes."),
      .whenPresent(
        "browser", { $0.window?.browser },
        note: "With --browser: the program whose window is left open."),
      .whenPresent("url", { $0.window?.page }, note: "With --browser: the page in that window."),
    ]

  private var address: CompletedAddress? { if case .address(let own) = self { own } else { nil } }
  private var own: OwnLogin? { if case .loggedIn(let own) = self { own } else { nil } }

  private var status: SAMLStatus? {
    if case .refused(let status) = self { status } else { own?.session.samlStatus }
  }

  private var window: (browser: String, page: String)? {
    if case .left(let browser, let page) = self { (browser, page.description) } else { nil }
  }
}

extension CompletedLogin.OwnLogin {
  fileprivate var shownValues: [AttributeFacts]? {
    showsValues ? session.attributes.map(AttributeFacts.init) : nil
  }

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
}

/// A person's datum, as the identity provider sent it.
private struct AttributeFacts: DescribedObject {
  let attribute: SAMLAttribute

  static let members: [Member<AttributeFacts>] = [
    Member("name", \.attribute.name), Member("friendlyName", \.attribute.friendlyName),
    Member("values", \.attribute.values),
  ]
}
