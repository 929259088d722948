import Glibc
import Messages
import RedirectFlow
import System

/// What becomes of the address with which the browser goes on: printed, or handed to the desktop.
struct CompletedAddress {
  private let clipboard: DesktopProgram?
  private let opener: DesktopProgram?

  /// Makes sure that what is asked for can be done, before a card is asked for anything.
  init(_ options: LoginEndOptions) throws(Failure) {
    clipboard = options.copy ? .clipboard : nil
    opener = options.open ? .opener : nil
    if options.copy, clipboard == nil { throw .usage(.noDesktopProgram(option: "--copy")) }
    if options.open, opener == nil { throw .usage(.noDesktopProgram(option: "--open")) }
  }

  /// Hands it over. Where the desktop does not take it, it is printed after all: it was hard to come by.
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
