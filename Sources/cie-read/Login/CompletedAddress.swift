import Glibc
import Messages
import RedirectFlow
import System

/// The use of the address with which the browser continues: printed, or handed to the desktop.
struct CompletedAddress {
  private let clipboard: DesktopProgram?
  private let opener: DesktopProgram?

  /// Checks that the requested uses are possible, before a card is asked for anything.
  init(_ options: LoginEndOptions) throws(Failure) {
    clipboard = options.copy ? .clipboard : nil
    opener = options.open ? .opener : nil
    if options.copy, clipboard == nil { throw .usage(.noDesktopProgram(option: "--copy")) }
    if options.open, opener == nil { throw .usage(.noDesktopProgram(option: "--open")) }
  }

  /// Hands it over. If the desktop fails to take it, it is printed after all, because it cost a login.
  func handOver(_ url: RedirectURL, _ person: LoginPerson) -> CommandOutcome {
    let isCopied = clipboard?.run(input: url.text) ?? false
    let isOpened = opener?.run(word: url.text) ?? false
    let isHandedOver = isCopied || isOpened
    let isAskedFor = clipboard != nil || opener != nil
    let words =
      isAskedFor && !isHandedOver
      ? Message("address.failed")
      : isOpened ? Message("address.opened") : Message("address.open")
    person.tell((isCopied ? [Message("address.copied")] : []) + [words])
    var outcome = CommandOutcome()
    if !isHandedOver { outcome.lines = [url.text] }
    outcome.members = [
      .init("completedUrl", url.text), .init("copied", isCopied), .init("opened", isOpened),
    ]
    return outcome
  }
}
