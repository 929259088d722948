import Glibc
import Primitives

@testable import RedirectFlow
@testable import Web

/// A browser with one tab that sends prepared messages, and ends.
final class ScriptedBrowser: RemoteBrowser {
  let messages: FileDescriptor
  let commands: FileDescriptor
  private let theirs: CInt
  private let ending: CInt
  private let failed: Bool

  convenience init(_ texts: String..., hasFailed: Bool = false) {
    self.init(texts, hasFailed: hasFailed)
  }

  /// - Parameter isOpen: `true` to stay until `end`.
  init(_ texts: [String], hasFailed: Bool = false, isOpen: Bool = false) {
    var said: [CInt] = [-1, -1]
    var asked: [CInt] = [-1, -1]
    _ = pipe(&said)
    _ = pipe(&asked)
    let tab =
      #"{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"targetId":"F"}}}"#
    var bytes: [UInt8] = []
    for text in [tab] + texts {
      bytes += [UInt8](text.utf8)
      bytes.append(0)
    }
    _ = write(said[1], bytes, bytes.count)
    ending = isOpen ? said[1] : -1
    if !isOpen { close(said[1]) }
    messages = FileDescriptor(said[0])
    commands = FileDescriptor(asked[1])
    theirs = asked[0]
    failed = hasFailed
  }

  func hasFailed() -> Bool { failed }

  /// Ends the browser.
  func end() { close(ending) }

  /// The commands received so far.
  var heard: String {
    String(decoding: (try? FileDescriptor(theirs).read(atMost: 64 << 10)) ?? [], as: UTF8.self)
  }

  func login() -> WindowLogin {
    WindowLogin(
      BrowserTabs(DevToolsConnection(self, CancellationToken())), .production, .default,
      report: { _ in })
  }

  func handOff() throws -> HandOff {
    var login = login()
    return try login.reachHandOff(from: try RedirectURL("https://service.example/"))
  }

  deinit {
    for descriptor in [messages.rawValue, commands.rawValue, theirs] { close(descriptor) }
  }
}
