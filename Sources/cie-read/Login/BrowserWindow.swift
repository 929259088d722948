import Arguments
import CardWork
import Glibc
import Messages
import RedirectFlow
import Synchronization
import Primitives

/// A window of the person's own browser, with a fresh profile, which is removed when the browser ends.
protocol BrowserWindow: RemoteBrowser {
  var process: BrowserProcess { get }
  func leave()
  /// Ends it, unless it was left to the person.
  func end()
}

extension BrowserWindow {
  func hasFailed() -> Bool { process.hasFailed() }
}

/// The process of a browser, which leads a session (setsid(2)).
final class BrowserProcess: Sendable {
  enum State {
    case running
    /// With this status (waitpid(2)).
    case ended(CInt)
    /// The person, or a keeper, has it.
    case left
  }

  private let process: ChildProcess
  private let state = Mutex(State.running)
  var id: pid_t { process.id }

  /// - Parameter streams: beside the three standard ones.
  init(
    _ path: String, _ arguments: [String], _ profile: BrowserProfile,
    streams: [CInt: ChildProcess.Stream] = [:]
  ) throws(Failure) {
    let usual: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .file("/dev/null", flags: O_RDONLY),
      STDOUT_FILENO: .descriptor(profile.output), STDERR_FILENO: .descriptor(profile.output),
    ]
    process = try mapError(
      try ChildProcess(
        path, arguments, streams: usual.merging(streams) { $1 }, group: .session)
    ) { (error: SystemError) in Failure.file(.unreadable(path: path, errno: error.code)) }
  }

  /// Waits for its end, unless it was left.
  func hasFailed() -> Bool {
    state.withLock { state in
      if case .running = state { state = .ended(process.wait()) }
      return if case .ended(let status) = state { status != 0 } else { false }
    }
  }

  /// True once it is closed, however.
  var isClosed: Bool {
    state.withLock { state in
      if case .running = state, let status = process.status() { state = .ended(status) }
      return if case .ended = state { true } else { false }
    }
  }

  /// - Returns: the state before.
  func leave() -> State {
    state.withLock { state in
      defer { state = .left }
      return state
    }
  }
}

/// The folder for a browser's data, such as cookies, closed to other users.
///
/// A separate process, its keeper, starts before the browser: it removes the folder once the output is closed here and
/// in every process of the browser, even if this program is killed.
struct BrowserProfile {
  let path: String
  /// The browser's output, by which the keeper knows that it runs.
  let output: CInt

  /// The keeper's script: waits for the browser's end, then removes the profile, to which a last process of the browser
  /// may still be writing.
  private static let keeper =
    "cat <&3 >/dev/null; for try in 1 2 3 4 5; do rm -rf -- \"$1\" && break; sleep 1; done"

  init() throws(Failure) {
    let folder = Environment.value(of: "TMPDIR") ?? "/tmp"
    var template = (folder + "/cie-read-XXXXXX").systemBytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else {
      throw .file(.unwritable(path: folder, errno: errno))
    }
    path = String(system: template.dropLast().map { UInt8(bitPattern: $0) })
    do throws(SystemError) { output = try Self.kept(path) } catch {
      rmdir(path)
      throw .file(.unwritable(path: path, errno: error.code))
    }
  }

  /// Starts the keeper.
  ///
  /// - Returns: the write end of the pipe that it reads.
  private static func kept(_ path: String) throws(SystemError) -> CInt {
    let pipe = try Pipe()
    do throws(SystemError) { try Keeper.start(keeper, reading: pipe.reading, path) } catch {
      pipe.close()
      throw error
    }
    close(pipe.reading)
    return pipe.writing
  }

  /// Leaves it to the started browser or, without one, to the keeper.
  func release() { close(output) }
}

/// A shell that waits for the end of input on a descriptor, and outlives this program.
enum Keeper {
  /// - Parameters:
  ///   - script: finds the descriptor as 3.
  ///   - held: a descriptor that it keeps open meanwhile.
  static func start(
    _ script: String, reading descriptor: CInt, holding held: CInt? = nil, _ argument: String = ""
  ) throws(SystemError) {
    var streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .file("/dev/null", flags: O_RDONLY), STDOUT_FILENO: .nowhere,
      STDERR_FILENO: .nowhere, 3: .descriptor(descriptor),
    ]
    if let held { streams[4] = .descriptor(held) }
    _ = try ChildProcess(
      "/bin/sh", ["-c", script, "sh", argument], environment: ["PATH=/usr/bin:/bin"],
      streams: streams, group: .session)
  }
}

struct InstalledBrowser {
  let kind: Kind
  let path: String

  enum Kind: String, CaseIterable {
    case chromium
    case firefox

    /// The names of its program.
    var names: [String] {
      switch self {
      case .chromium: ["chromium", "chromium-browser", "google-chrome"]
      case .firefox: ["firefox", "firefox-esr"]
      }
    }
  }

  /// Finds one in `PATH` that takes a profile; `nil` if there is none.
  init?(_ kinds: [Kind]) {
    for kind in kinds {
      let paths = kind.names.lazy.compactMap { ChildProcess.path(of: $0) }
      guard let path = paths.first(where: { !Self.isOfSnap($0) }) else { continue }
      self.kind = kind
      self.path = path
      return
    }
    return nil
  }

  /// True for a browser of snap, which sees no profile outside its own folders: a link to snap itself, or the script
  /// for it in the packages of Ubuntu.
  private static func isOfSnap(_ path: String) -> Bool {
    guard let place = realPath(path) else { return false }
    let script = (try? InputFile.read(place, limit: 64 << 10)).map {
      String(decoding: $0, as: UTF8.self)
    }
    return place.hasPrefix("/snap/") || place.hasSuffix("/snap")
      || script?.includes("/snap/bin/") == true
  }

  /// The first that is found.
  static func required(_ kinds: [Kind] = Kind.allCases) throws(Failure) -> InstalledBrowser {
    guard let installed = InstalledBrowser(kinds) else {
      throw .usage(
        "no-desktop-program", ["names": kinds.flatMap(\.names).joined(separator: ", ")],
        key: "no-browser")
    }
    return installed
  }

  /// Starts it with an empty page, which is on the screen at once.
  ///
  /// - Parameter app: the address of a page that Chromium shows without bars instead.
  func open(app: String? = nil, in context: RunContext) throws(Failure) -> any BrowserWindow {
    // With the class that the desktop file names, a task bar shows name and icon of the program.
    let name = app == nil ? [] : ["--class", "cie-read", "--name", "cie-read"]
    switch kind {
    case .chromium: return try ChromiumWindow(path, app: app)
    case .firefox: return try FirefoxWindow(path, name, context.interruption)
    }
  }
}

extension BrowserOption {
  var kinds: [InstalledBrowser.Kind] {
    switch self {
    case .any: InstalledBrowser.Kind.allCases
    case .chromium: [.chromium]
    case .firefox: [.firefox]
    }
  }
}

extension LoginOptions {
  /// The program of --browser.
  ///
  /// - Throws: if no such browser is installed, and for an option of the login without a
  ///   browser.
  func installedBrowser(_ end: LoginEndOptions) throws(Failure) -> InstalledBrowser? {
    guard browser != nil else { return nil }
    if let option = (withoutBrowser + end.ofPage).first {
      throw .usage("wrong-start", ["option": option], key: "wrong-start-browser")
    }
    return try installedBrowser()
  }

  /// The program of --browser for a sign-in without the card.
  func installedBrowser() throws(Failure) -> InstalledBrowser? {
    guard let browser else { return nil }
    return try InstalledBrowser.required(browser.kinds)
  }
}
