import Glibc
import System

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
    guard let pipe = try? Pipe() else { return false }
    try? FileDescriptor(pipe.writing).writeAll([UInt8](input.utf8))
    close(pipe.writing)
    defer { close(pipe.reading) }
    let streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .descriptor(pipe.reading), STDOUT_FILENO: .nowhere, STDERR_FILENO: .nowhere,
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
