import CardWork
import Glibc
import RedirectFlow
import Primitives

/// The person's Firefox.
///
/// It is reached by the socket of its developer tools, which lies in the profile, closed to other users, and not by
/// Marionette or WebDriver BiDi, whose ports are open to every user of the machine. The socket starts a script that
/// connects to another socket there and closes the first; from then on the script takes the commands, as Chromium does.
/// If this program ends without a release, the script ends the browser.
final class FirefoxWindow: BrowserWindow {
  let messages: FileDescriptor
  let commands: FileDescriptor
  let process: BrowserProcess

  /// Preferences beside the script's: no pages but the person's own.
  private static let preferences = [
    "browser.aboutwelcome.enabled": "false", "browser.shell.checkDefaultBrowser": "false",
    "browser.startup.homepage_override.mstone": "\"ignore\"",
    "datareporting.policy.dataSubmissionEnabled": "false", "termsofuse.bypassNotification": "true",
    "toolkit.telemetry.reportingpolicy.firstRun": "false",
  ]

  /// Starts it with an empty page, and waits until it takes commands.
  ///
  /// - Parameter more: arguments beside those of any window.
  init(
    _ path: String, _ more: [String] = [], _ interruption: Interruption
  ) throws(Failure) {
    let profile = try BrowserProfile()
    defer { profile.release() }
    let lines = FirefoxScript.preferences.merging(Self.preferences) { $1 }
      .map { "user_pref(\"\($0)\", \($1));\n" }.sorted().joined()
    try OutputFile(profile.path + "/user.js", mode: 0o600).commit([UInt8](lines.utf8))
    let listener = try UnixSocket(listeningAt: profile.path + "/commands")
    let tools = profile.path + "/tools"
    let arguments = [
      "--no-remote", "--new-instance", "--profile", profile.path, "--start-debugger-server", tools,
      "about:blank",
    ]
    let process = try BrowserProcess(path, arguments + more, profile)
    self.process = process
    func isOver() -> Bool { process.isClosed || interruption.isOver }
    do throws(LoginError) {
      let socket = try UnixSocket(connectingTo: tools, until: isOver)
      try FirefoxScript(over: FileDescriptor(socket.descriptor), isOver: isOver)
        .run(connectingTo: profile.path + "/commands")
      let connection = try listener.accept(until: isOver)
      messages = FileDescriptor(connection)
      commands = messages
    } catch {
      messages = FileDescriptor(-1)
      commands = messages
      if process.isClosed {
        throw .login(LoginError(process.hasFailed() ? .browserFailed : .cancelled))
      }
      if interruption.isOver { throw .interrupted }
      throw .login(LoginError(.browserFailed))
    }
  }

  func leave() { _ = process.leave() }

  func end() {
    // The whole process group, because the installed program may be a script that starts it.
    if case .running = process.leave() { kill(-process.id, SIGTERM) }
  }

  deinit {
    end()
    if messages.rawValue >= 0 { close(messages.rawValue) }
  }
}

/// A Unix-domain socket with a path in the file system.
private struct UnixSocket: ~Copyable {
  let descriptor: CInt

  /// The length of one wait, in microseconds, between checks whether to give up.
  private static let patience: useconds_t = 50_000

  init(listeningAt path: String) throws(Failure) {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let code = UnixSocketAddress.with(path) {
      bind(descriptor, $0, $1) == 0 ? listen(descriptor, 1) : -1
    }
    guard code == 0 else { throw .file(.unwritable(path: path, errno: code)) }
  }

  /// Connects as soon as a process listens.
  init(connectingTo path: String, until isOver: () -> Bool) throws(LoginError) {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    while UnixSocketAddress.with(path, { connect(descriptor, $0, $1) }) != 0 {
      guard !isOver() else { throw LoginError(.cancelled) }
      usleep(Self.patience)
    }
  }

  borrowing func accept(until isOver: () -> Bool) throws(LoginError) -> CInt {
    while true {
      guard !isOver() else { throw LoginError(.cancelled) }
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&descriptors, 1, CInt(Self.patience / 1000)) > 0 else { continue }
      let connection = Glibc.accept(descriptor, nil, nil)
      guard connection >= 0 else { throw LoginError(.browserFailed) }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      return connection
    }
  }

  deinit { close(descriptor) }
}
