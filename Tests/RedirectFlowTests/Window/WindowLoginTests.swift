import Glibc
import System
import Testing

@testable import RedirectFlow

/// A login in a browser that says what the test has written: what is taken for a hand-off, and from whom.
@Suite struct WindowLoginTests {
  private static let service = "https://service.example/"
  private static let provider = "https://idserver.servizicie.interno.gov.it/idp/login"
  private static let link =
    "https://idserver.servizicie.interno.gov.it/OpenApp?nextUrl="
    + "https://idserver.servizicie.interno.gov.it/idp/Authn/X509&name=conversation&value=e1s1"
    + "&authnRequestString=x&OpText=x&imgUrl=x"

  @Test func `a link that the identity provider's page follows hands the login over`() throws {
    let browser = ScriptedBrowser(asks(Self.link), answers(Self.provider))
    #expect(try browser.handOff().url.text == Self.link)
    // It was never sent.
    let heard = browser.heard
    #expect(heard.contains("\"Fetch.failRequest\"") && !heard.contains("\"Fetch.continueRequest\""))
  }

  @Test(arguments: ["CIEID://", "cieid:"])
  func `an address for the app hands the login over`(_ scheme: String) throws {
    let browser = ScriptedBrowser(shows(Self.provider), begins(scheme + Self.link))
    #expect(try browser.handOff().url.text == Self.link)
  }

  @Test func `a page of somebody else hands nothing over, by link or by address for the app`()
    throws
  {
    let stories = [
      [asks(Self.link), answers(Self.service)],
      [shows(Self.service), begins("CIEID://" + Self.link)],
    ]
    for story in stories {
      let browser = ScriptedBrowser(story)
      #expect { try browser.handOff() } throws: { error in
        if case LoginError.handOffElsewhere(let origin) = error {
          origin.host == "service.example"
        } else {
          false
        }
      }
    }
  }

  @Test func `an address for the app that leads to another host is refused`() throws {
    let browser = ScriptedBrowser(
      shows(Self.provider), begins("CIEID://https://evil.example/OpenApp?nextUrl=x"))
    #expect { try browser.handOff() } throws: { error in
      if case LoginError.handOff(.foreignHost) = error { true } else { false }
    }
  }

  @Test func `a frame inside a page hands nothing over`() throws {
    let browser = ScriptedBrowser(shows(Self.provider), asks(Self.link, frame: "inner"))
    #expect { try browser.handOff() } throws: { error in
      if case LoginError.cancelled = error { true } else { false }
    }
  }

  @Test(arguments: [
    (false, "cancelled"), (true, "browserFailed"),
  ])
  func `a browser that is gone was closed, or has failed`(_ hasFailed: Bool, _ name: String) {
    let browser = ScriptedBrowser(shows(Self.service), hasFailed: hasFailed)
    #expect { try browser.handOff() } throws: { "\($0)" == name }
  }

  @Test(arguments: ["{", "[]", "{\"id\":\"1\"}", "\u{1}"])
  func `what is no message ends the login`(_ text: String) {
    let browser = ScriptedBrowser(text)
    #expect { try browser.handOff() } throws: { "\($0)" == "browserFailed" }
  }

  @Test func `a command is JSON whatever its texts hold`() throws {
    let text = "\"\\\u{0}\u{1F}\u{E8}"
    let value = try JSONValue([UInt8](DevToolsValue.object([(text, .text(text))]).json.utf8))
    #expect(value[text]?.text == text)
  }

  private func shows(_ page: String) -> String {
    #"{"method":"Page.frameNavigated","sessionId":"S","params":{"frame":{"id":"F","url":"\#(page)"}}}"#
  }

  /// The answer to the seventh command, after those with which a tab is watched and its first page opened.
  private func answers(_ page: String) -> String {
    #"{"id":7,"result":{"currentIndex":1,"entries":[{"url":"about:blank"},{"url":"\#(page)"}]}}"#
  }

  private func asks(_ link: String, frame: String = "F") -> String {
    #"{"method":"Fetch.requestPaused","sessionId":"S","params":{"requestId":"R","frameId":"\#(frame)","#
      + #""request":{"url":"\#(link)","headers":{}}}}"#
  }

  private func begins(_ link: String) -> String {
    #"{"method":"Page.frameRequestedNavigation","sessionId":"S","params":{"frameId":"F","url":"\#(link)"}}"#
  }
}

/// A browser with one tab that says what it was told to say, and is gone.
private final class ScriptedBrowser: RemoteBrowser {
  let messages: FileDescriptor
  let commands: FileDescriptor
  private let theirs: CInt
  private let failed: Bool

  convenience init(_ texts: String..., hasFailed: Bool = false) {
    self.init(texts, hasFailed: hasFailed)
  }

  init(_ texts: [String], hasFailed: Bool = false) {
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
    close(said[1])
    messages = FileDescriptor(said[0])
    commands = FileDescriptor(asked[1])
    theirs = asked[0]
    failed = hasFailed
  }

  func hasFailed() -> Bool { failed }

  /// What it was commanded so far.
  var heard: String {
    String(decoding: (try? FileDescriptor(theirs).read(atMost: 64 << 10)) ?? [], as: UTF8.self)
  }

  func handOff() throws -> HandOff {
    let page = try RedirectURL("https://service.example/")
    var login = WindowLogin(
      BrowserTabs(DevToolsConnection(self, CancellationToken())), .production, .default,
      report: { _ in })
    return try login.reachHandOff(from: page)
  }

  deinit {
    for descriptor in [messages.rawValue, commands.rawValue, theirs] { close(descriptor) }
  }
}
