import CardWork
import Messages
import RedirectFlow

/// The address with which the browser continues, and its use.
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
  func handOver(_ address: inout CompletedAddress, in session: RunContext) {
    address.isCopied = clipboard?.run(input: address.url.text) ?? false
    address.isOpened = opener?.run(word: address.url.text) ?? false
    let isAskedFor = clipboard != nil || opener != nil
    let words =
      isAskedFor && !address.isCopied && !address.isOpened
      ? Message("address.failed")
      : address.isOpened ? Message("address.opened") : Message("address.open")
    let lines = (address.isCopied ? [Message("address.copied")] : []) + [words]
    session.tell(lines.map { $0(session.language) })
  }
}
