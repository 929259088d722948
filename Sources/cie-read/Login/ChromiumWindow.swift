import CardWork
import Glibc
import RedirectFlow
import Primitives

/// The person's Chromium.
///
/// It takes commands over two pipes (`--remote-debugging-pipe`) and ends when they close, as at the end of this
/// program. Once the person is logged in, a keeper process holds the pipes, so that the browser outlives this program.
final class ChromiumWindow: BrowserWindow {
  let messages: FileDescriptor
  let commands: FileDescriptor
  let process: BrowserProcess

  /// Starts it, with an empty page or one without bars.
  init(_ path: String, app: String? = nil) throws(Failure) {
    let profile = try BrowserProfile()
    defer { profile.release() }
    let (commands, messages) = try Self.pipes(path)
    self.commands = FileDescriptor(commands.writing)
    self.messages = FileDescriptor(messages.reading)
    let arguments = [
      "--remote-debugging-pipe", "--user-data-dir=\(profile.path)", "--no-first-run",
      "--no-default-browser-check", "--password-store=basic",
    ]
    // With the class that the desktop file names, a task bar shows name and icon of the program.
    let page = app.map { ["--class=cie-read", "--app=" + $0] } ?? ["about:blank"]
    do throws(Failure) {
      process = try BrowserProcess(
        path, arguments + page, profile,
        streams: [3: .descriptor(commands.reading), 4: .descriptor(messages.writing)])
    } catch {
      commands.close()
      messages.close()
      throw error
    }
    close(commands.reading)
    close(messages.writing)
  }

  private static func pipes(_ path: String) throws(Failure) -> (commands: Pipe, messages: Pipe) {
    try mapError((try Pipe(), try Pipe())) { (error: SystemError) in
      Failure.file(.unreadable(path: path, errno: error.code))
    }
  }

  func leave() { handOver(isLeftOpen: true) }

  func end() { handOver(isLeftOpen: false) }

  private func handOver(isLeftOpen: Bool) {
    if case .left = process.leave() { return }
    if isLeftOpen {
      try? Keeper.start(
        "cat <&3 >/dev/null", reading: messages.rawValue, holding: commands.rawValue)
    }
    close(commands.rawValue)
    close(messages.rawValue)
  }

  deinit { end() }
}
