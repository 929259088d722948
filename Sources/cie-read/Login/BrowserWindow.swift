import Glibc
import Messages
import RedirectFlow
import System

/// A window of the person's own browser, with a fresh profile of its own, which is removed when the browser ends.
protocol BrowserWindow: RemoteBrowser {
  /// Leaves it to the person.
  func leave()
  /// Ends it, unless it was left to the person.
  func end()
}

/// The folder in which a browser keeps what it knows, which nobody else may enter.
struct BrowserProfile {
  let path: String

  /// What a keeper does: waits for the browser's end, then removes the profile, to which a last process of it may still
  /// be writing.
  private static let keeper =
    "cat <&3 >/dev/null; for try in 1 2 3 4 5; do rm -rf -- \"$1\" && break; sleep 1; done"

  /// Makes a fresh one.
  init() throws(Failure) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = [CChar]((folder + "/cie-read-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .file(.unwritable(path: folder, errno: errno))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Has it removed when nobody is left who could write to what a descriptor reads, by a process that outlives this one.
  ///
  /// - Parameter held: what that process keeps open meanwhile.
  func remove(whenReadEnds descriptor: CInt, holding held: CInt? = nil) {
    var streams: [CInt: ChildProcess.Stream] = [
      STDIN_FILENO: .file("/dev/null", flags: O_RDONLY), STDOUT_FILENO: .nowhere,
      STDERR_FILENO: .nowhere, 3: .descriptor(descriptor),
    ]
    if let held { streams[4] = .descriptor(held) }
    _ = try? ChildProcess(
      "/bin/sh", ["-c", Self.keeper, "sh", path], streams: streams, group: .session)
  }
}

/// A browser in which the login can be done.
struct InstalledBrowser {
  /// Which one.
  let kind: Kind
  /// Where it is.
  let path: String

  /// The browsers that are known.
  enum Kind: String, CaseIterable {
    case chromium
    case firefox

    /// The names under which it is installed.
    var names: [String] {
      switch self {
      case .chromium: ["chromium", "chromium-browser", "google-chrome"]
      case .firefox: ["firefox", "firefox-esr"]
      }
    }
  }

  /// Finds one in `PATH`; `nil` where there is none.
  init?(_ kinds: [Kind]) {
    for kind in kinds {
      guard let path = kind.names.lazy.compactMap({ DesktopProgram.path(of: $0) }).first else {
        continue
      }
      self.kind = kind
      self.path = path
      return
    }
    return nil
  }

  /// Starts it, with an empty page: it is on the screen at once.
  func open(in session: Session) throws(Failure) -> any BrowserWindow {
    switch kind {
    case .chromium: return try ChromiumWindow(path)
    case .firefox: return try FirefoxWindow(path, session.interruption)
    }
  }
}

extension BrowserOption {
  /// Which browsers are looked for.
  fileprivate var kinds: [InstalledBrowser.Kind] {
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
  /// - Throws: `.noBrowser` where none is installed, `.withBrowser` for an option of the login without a browser.
  func installedBrowser(
    _ end: LoginEndOptions, startIsLink isLink: Bool
  ) throws(Failure) -> InstalledBrowser? {
    guard let browser else { return nil }
    guard !isLink else { throw .usage(.otherStart(option: "--browser", needsLink: false)) }
    let withoutBrowser = [("--consent", consent != nil), ("--cookies", cookies != nil)]
    if let option = (withoutBrowser + end.ofPage).first(where: \.1) {
      throw .usage(.withBrowser(option: option.0))
    }
    guard let installed = InstalledBrowser(browser.kinds) else {
      throw .usage(.noBrowser(browser.kinds.flatMap(\.names)))
    }
    return installed
  }
}
