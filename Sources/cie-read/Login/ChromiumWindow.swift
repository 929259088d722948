import CardWork
import Glibc
import RedirectFlow
import Synchronization
import Primitives

/// The person's Chromium.
///
/// It takes commands over two pipes (`--remote-debugging-pipe`) and ends when they close, as at the end of this
/// program. Once the person is logged in, a keeper process holds the pipes, so that the browser outlives this program.
final class ChromiumWindow: BrowserWindow {
  let messages: FileDescriptor
  let commands: FileDescriptor
  private let process: ChildProcess
  private let state = Mutex<State>(.running)

  private enum State {
    case running
    /// With this status (waitpid(2)).
    case ended(CInt)
    /// A keeper has it.
    case left
  }

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
      app.map { "--app=" + $0 } ?? "about:blank",
    ]
    let streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .file("/dev/null", flags: O_RDONLY),
      STDOUT_FILENO: .descriptor(profile.output), STDERR_FILENO: .descriptor(profile.output),
      3: .descriptor(commands.reading),
      4: .descriptor(messages.writing),
    ]
    do throws(SystemError) {
      process = try ChildProcess(path, arguments, streams: streams, group: .session)
    } catch {
      commands.close()
      messages.close()
      throw .file(.unreadable(path: path, errno: error.code))
    }
    close(commands.reading)
    close(messages.writing)
  }

  private static func pipes(_ path: String) throws(Failure) -> (commands: Pipe, messages: Pipe) {
    do throws(SystemError) { return (try Pipe(), try Pipe()) } catch {
      throw .file(.unreadable(path: path, errno: error.code))
    }
  }

  func hasFailed() -> Bool {
    state.withLock { state in
      if case .running = state { state = .ended(process.wait()) }
      if case .ended(let status) = state { return status != 0 }
      return false
    }
  }

  var isClosed: Bool {
    state.withLock { state in
      if case .running = state, let status = process.status() { state = .ended(status) }
      if case .ended = state { return true }
      return false
    }
  }

  func leave() { handOver(isLeftOpen: true) }

  func end() { handOver(isLeftOpen: false) }

  private func handOver(isLeftOpen: Bool) {
    let isOurs = state.withLock { state in
      if case .left = state { return false }
      state = .left
      return true
    }
    guard isOurs else { return }
    if isLeftOpen {
      try? Keeper.start(
        "cat <&3 >/dev/null", reading: messages.rawValue, holding: commands.rawValue)
    }
    close(commands.rawValue)
    close(messages.rawValue)
  }

  deinit { end() }
}
