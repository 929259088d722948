import Glibc
import RedirectFlow
import Synchronization
import System

/// The person's Chromium with a fresh profile of its own, which is removed when the browser ends.
///
/// It hears commands over two pipes (`--remote-debugging-pipe`) and ends when nobody can write commands any more. So
/// that it outlives this program, a process that does nothing else keeps the pipes once the person is logged in.
final class ChromiumWindow: RemoteBrowser {
  let messages: FileDescriptor
  let commands: FileDescriptor
  private let process: ChildProcess
  private let profile: String
  private let state = Mutex<State>(.running)

  private enum State {
    case running
    /// With this status (waitpid(2)).
    case ended(CInt)
    /// A keeper has it.
    case left
  }

  /// The names under which it is installed.
  static let names = ["chromium", "chromium-browser", "google-chrome"]

  /// What a keeper does: waits for the browser's end, then removes the profile, to which a last process of it may still
  /// be writing.
  private static let keeper =
    "cat <&3 >/dev/null; for try in 1 2 3 4 5; do rm -rf -- \"$1\" && break; sleep 1; done"

  /// Where it is installed, if it is.
  static var path: String? {
    names.lazy.compactMap { DesktopProgram.path(of: $0) }.first
  }

  /// Starts it, with an empty page.
  init(_ path: String) throws(Failure) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = [CChar]((folder + "/cie-read-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .file(.unwritable(path: folder, errno: errno))
    }
    profile = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (theirCommands, commands) = Self.pipe()
    let (messages, theirMessages) = Self.pipe()
    self.commands = FileDescriptor(commands)
    self.messages = FileDescriptor(messages)
    let arguments = [
      "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run",
      "--no-default-browser-check", "--password-store=basic", "about:blank",
    ]
    let streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .file("/dev/null", flags: O_RDONLY), STDOUT_FILENO: .nowhere,
      STDERR_FILENO: .nowhere, 3: .descriptor(theirCommands), 4: .descriptor(theirMessages),
    ]
    do throws(SystemError) {
      process = try ChildProcess(path, arguments, streams: streams, group: .session)
    } catch {
      for descriptor in [theirCommands, theirMessages, commands, messages] { close(descriptor) }
      rmdir(profile)
      throw .file(.unreadable(path: path, errno: error.code))
    }
    close(theirCommands)
    close(theirMessages)
  }

  /// A pipe whose ends are not among the numbers that the browser expects its own to have.
  private static func pipe() -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    _ = Glibc.pipe(&ends)
    let moved = ends.map { end in
      defer { close(end) }
      return fcntl(end, F_DUPFD_CLOEXEC, 10)
    }
    return (moved[0], moved[1])
  }

  func hasFailed() -> Bool {
    state.withLock { state in
      if case .running = state { state = .ended(process.wait()) }
      if case .ended(let status) = state { return status != 0 }
      return false
    }
  }

  /// Leaves it to the person.
  func leave() { handOver(isLeftOpen: true) }

  /// Ends it, unless it was left to the person.
  func end() { handOver(isLeftOpen: false) }

  private func handOver(isLeftOpen: Bool) {
    let isOurs = state.withLock { state in
      if case .left = state { return false }
      state = .left
      return true
    }
    guard isOurs else { return }
    var streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .file("/dev/null", flags: O_RDONLY), STDOUT_FILENO: .nowhere,
      STDERR_FILENO: .nowhere, 3: .descriptor(messages.rawValue),
    ]
    if isLeftOpen { streams[4] = .descriptor(commands.rawValue) }
    _ = try? ChildProcess(
      "/bin/sh", ["-c", Self.keeper, "sh", profile], streams: streams, group: .session)
    close(commands.rawValue)
    close(messages.rawValue)
  }

  deinit { end() }
}

extension LoginOptions {
  /// The program of --browser.
  ///
  /// - Throws: `.noBrowser` where none is installed, `.withBrowser` for an option of the login without a browser.
  func browserPath(_ end: LoginEndOptions, startIsLink isLink: Bool) throws(Failure) -> String? {
    guard browser else { return nil }
    guard !isLink else { throw .usage(.otherStart(option: "--browser", needsLink: false)) }
    let withoutBrowser = [("--consent", consent != nil), ("--cookies", cookies != nil)]
    if let option = (withoutBrowser + end.ofPage).first(where: \.1) {
      throw .usage(.withBrowser(option: option.0))
    }
    guard let path = ChromiumWindow.path else { throw .usage(.noBrowser) }
    return path
  }
}
