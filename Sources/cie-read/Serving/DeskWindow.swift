import CIECard
import CardWork
import Dispatch
import Glibc
import Messages
import Primitives
import RedirectFlow
import Synchronization

/// The window of `desk`, with which the program ends.
///
/// A ticket is in no argument list, because every user of the machine can read those: it goes to the program's own browser
/// through its pipe, to the default browser in a file, or to standard output for a browser of the person's choice.
final class DeskWindow: Sendable {
  private enum Way: Sendable {
    case own(any BrowserWindow)
    /// The desktop's default browser.
    case usual(DesktopProgram)
    case shown
  }

  private struct State {
    var hasListened = false
    /// The time without a listener, and that of the last check.
    var silence = Duration.zero
    var lastCheck = ContinuousClock.now
    var failure: Failure?
    /// The file for the default browser, until a ticket is used after its time.
    var page: (file: RedirectPage, time: ContinuousClock.Instant)?
  }

  /// The longest time between two checks that counts, because a page comes back some time after the machine has slept.
  private static let longestStep = Duration.seconds(1)

  /// The address of the page.
  private let origin: String
  private let tokens: OneTimeTokens
  private let way: Way
  private let token = CancellationToken()
  private let queue = DispatchQueue(label: "window")
  private let state = Mutex(State())

  /// The time until a page listens to events, for a slow start of a browser or a person who copies the address, and that
  /// after its last stream closed.
  private static let patience = (
    start: Duration.seconds(60), person: Duration.seconds(600), later: Duration.seconds(10)
  )

  /// - Parameter kinds: of browsers to look for; nil to show the address.
  init(
    at origin: String, _ tokens: OneTimeTokens, _ kinds: [InstalledBrowser.Kind]?,
    in context: RunContext
  ) throws(Failure) {
    self.origin = origin
    self.tokens = tokens
    guard let kinds else {
      way = .shown
      return
    }
    guard DesktopProgram.hasDisplay else { throw .found(Diagnosis(.usage, "no-display")) }
    if let installed = InstalledBrowser(kinds) {
      way = .own(try installed.open(app: origin, in: context))
    } else if kinds.count > 1, let opener = DesktopProgram.opener {
      way = .usual(opener)
    } else {
      throw .found(
        Diagnosis(
          .usage, "no-desktop-program",
          ["names": kinds.flatMap(\.names).joined(separator: ", ")], key: "no-desk-browser",
          advice: Message("no-display.do")))
    }
  }

  func show() {
    queue.async { [self] in
      do throws(Failure) {
        let address = "\(origin)#ticket=\(try tokens.issue())"
        switch way {
        case .shown: Stream.output.write(raw: address + "\n")
        case .usual(let opener):
          let page = try RedirectPage(to: address)
          removeFile(for: page)
          guard opener.run(word: page.path) else { throw .windowFailed }
        case .own(let browser):
          var page = ShownPage(in: browser, until: token)
          do throws(LoginError) { try page.show(address) } catch {
            // Else the window was closed meanwhile.
            if error.cause == .browserFailed { throw .windowFailed }
          }
        }
      } catch {
        state.withLock { if !$0.hasListened { $0.failure = error } }
      }
    }
  }

  /// Removes the file of the last address, for which there may be a new one.
  private func removeFile(for next: RedirectPage? = nil) {
    let last = state.withLock { state in
      defer { state.page = next.map { ($0, .now) } }
      return state.page
    }
    last?.file.remove()
  }

  /// The reason why the window is gone, unless it was closed.
  var failure: Failure? { state.withLock { $0.failure } }

  /// True once the window is gone, or no page has listened for a while.
  func isOver(listeners: Int) -> Bool {
    if case .own(let browser) = way, browser.process.isClosed {
      if browser.hasFailed() { state.withLock { $0.failure = .windowFailed } }
      return true
    }
    // The ticket counts too, because a page may close before its stream is seen.
    let now = ContinuousClock.now
    let used = tokens.lastRedeemed
    if let used, state.withLock({ $0.page.map { $0.time < used } }) == true {
      removeFile()
    }
    return state.withLock { state in
      if state.failure != nil { return true }
      let isThere = listeners > 0 || used.map { $0 > state.lastCheck } ?? false
      state.silence =
        isThere ? .zero : state.silence + min(now - state.lastCheck, Self.longestStep)
      state.lastCheck = now
      if isThere { state.hasListened = true }
      let first = if case .shown = way { Self.patience.person } else { Self.patience.start }
      let patience = state.hasListened ? Self.patience.later : first
      let isOver = state.silence > patience
      if isOver, !state.hasListened, case .usual = way { state.failure = .windowFailed }
      return isOver
    }
  }

  func end() {
    token.cancel()
    removeFile()
    if case .own(let browser) = way { browser.end() }
  }
}

extension Failure {
  /// The browser crashed, or does not start.
  fileprivate static let windowFailed = Failure.found(
    Diagnosis(.internalFailure, "browser-failed", advice: Message("no-display.do")))
}

/// A page in a file of this user alone that leads a browser of the desktop to an address: as an argument, every user of
/// the machine could read it.
struct RedirectPage {
  let path: String

  /// Writes it where the browser can read it: one of snap sees only what is not hidden in the home folder.
  init(to address: String) throws(Failure) {
    let home = PersonalFolder.home(Environment.value(of:))
    let hasSnap = home.map { access($0 + "/snap", F_OK) == 0 } ?? false
    let runtime = PersonalFolder.runtime.path(Environment.value(of:))
    guard let place = (hasSnap ? nil : runtime) ?? home else {
      throw .usage("no-home")
    }
    // With mode 0600, and new.
    let ending = ".html"
    var template = (place + "/CIE-XXXXXX" + ending).systemBytes.map { CChar(bitPattern: $0) } + [0]
    let file = mkstemps(&template, CInt(ending.utf8.count))
    guard file >= 0 else { throw .file(.unwritable(path: place, errno: errno)) }
    defer { close(file) }
    path = String(system: template.dropLast().map { UInt8(bitPattern: $0) })
    let page = """
      <!DOCTYPE html><title>CIE</title><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)"><a href="\(address)">CIE</a>

      """
    do throws(SystemError) { try FileDescriptor(file).writeAll([UInt8](page.utf8)) } catch {
      unlink(path)
      throw .file(.unwritable(path: path, errno: error.code))
    }
  }

  func remove() { unlink(path) }
}
