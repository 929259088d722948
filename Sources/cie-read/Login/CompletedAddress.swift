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

/// A program of the desktop that takes an address over. It is started directly, never through a shell.
struct DesktopProgram {
  private let path: String
  private let arguments: [String]

  /// Finds a program in `PATH`; `nil` where there is none.
  init?(_ name: String, _ arguments: [String] = []) {
    guard let path = Self.path(of: name) else { return nil }
    self.path = path
    self.arguments = arguments
  }

  /// Where a program is, by `PATH`; `nil` where there is none.
  static func path(of name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").lazy.map { $0 + "/" + name }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// What puts its standard input on the clipboard of this desktop.
  static var clipboard: DesktopProgram? {
    if getenv("WAYLAND_DISPLAY") != nil, let program = DesktopProgram("wl-copy") { return program }
    guard getenv("DISPLAY") != nil else { return nil }
    return DesktopProgram("xclip", ["-selection", "clipboard"])
      ?? DesktopProgram("xsel", ["--clipboard", "--input"])
  }

  /// What opens an address in the browser.
  static var opener: DesktopProgram? { DesktopProgram("xdg-open") }

  /// How long it may take before it is left to itself: some keep the clipboard, some are the browser.
  private static let patience = 3_000_000

  /// Runs it.
  ///
  /// - Parameters:
  ///   - input: its standard input, less than a pipe holds.
  ///   - word: a last argument; whoever looks at the processes of this machine sees it.
  /// - Returns: whether it did not say no within three seconds.
  func run(input: String = "", word: String? = nil) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    try? FileDescriptor(ends[1]).writeAll([UInt8](input.utf8))
    close(ends[1])
    defer { close(ends[0]) }
    let streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .descriptor(ends[0]), STDOUT_FILENO: .nowhere, STDERR_FILENO: .nowhere,
    ]
    let words = arguments + [word].compactMap { $0 }
    guard let process = try? ChildProcess(path, words, streams: streams, group: .session) else {
      return false
    }
    var waited: useconds_t = 0
    while waited < Self.patience {
      if let status = process.status() { return status == 0 }
      usleep(20000)
      waited += 20000
    }
    return true
  }
}
