import Glibc
import Primitives

/// A program of the desktop that takes an address. It is started directly, never through a shell.
package struct DesktopProgram {
  private let path: String
  private let arguments: [String]

  /// Finds a program in `PATH`; `nil` if it is not there.
  init?(_ name: String, _ arguments: [String] = []) {
    guard let path = ChildProcess.path(of: name) else { return nil }
    self.path = path
    self.arguments = arguments
  }

  /// True if there is a screen for windows.
  package static var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment.value(of: $0)?.isEmpty == false }
  }

  /// The program that puts its standard input on the clipboard of this desktop.
  package static var clipboard: DesktopProgram? {
    if Environment.value(of: "WAYLAND_DISPLAY") != nil, let program = DesktopProgram("wl-copy") {
      return program
    }
    guard Environment.value(of: "DISPLAY") != nil else { return nil }
    return DesktopProgram("xclip", ["-selection", "clipboard"])
      ?? DesktopProgram("xsel", ["--clipboard", "--input"])
  }

  /// The program that opens an address in the browser.
  package static var opener: DesktopProgram? { DesktopProgram("xdg-open") }

  /// The program that shows a text, its last word, in a window.
  package static var dialog: DesktopProgram? {
    DesktopProgram("zenity", ["--error", "--no-markup", "--text"])
      ?? DesktopProgram("kdialog", ["--error"]) ?? DesktopProgram("notify-send", ["CIE"])
      ?? DesktopProgram("xmessage")
  }

  /// The time limit before it is left running: some keep the clipboard, some are the browser.
  private static let patience = 3_000_000

  /// Runs it.
  ///
  /// - Parameters:
  ///   - input: its standard input, less than a pipe holds.
  ///   - word: a last argument, visible in the list of processes of this machine.
  /// - Returns: `false` if it failed within three seconds.
  package func run(input: String = "", word: String? = nil) -> Bool {
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
