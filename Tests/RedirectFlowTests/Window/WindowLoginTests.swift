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

  /// Firefox tells who asks, which a tab that another page controls does not show.
  @Test
  func `the page that a browser names as the asking one counts, not the one that its tab shows`()
    throws
  {
    let good = [
      [asks(Self.link, initiator: Self.provider)],
      [shows(Self.service), begins("cieid:" + Self.link, initiator: Self.provider)],
    ]
    for story in good {
      #expect(try ScriptedBrowser(story).handOff().url.text == Self.link)
    }
    let bad = [
      ([shows(Self.provider), asks(Self.link, initiator: Self.service)], "service.example"),
      (
        [shows(Self.provider), begins("cieid:" + Self.link, initiator: Self.service)],
        "service.example"
      ),
      ([shows(Self.provider), asks(Self.link, initiator: "")], nil),
      ([shows(Self.provider), begins("cieid:" + Self.link, initiator: "")], nil),
    ]
    for (story, host) in bad {
      #expect { try ScriptedBrowser(story).handOff() } throws: { error in
        switch error as? LoginError {
        case .handOffElsewhere(let origin): origin.host == host
        case .noHandOff: host == nil
        default: false
        }
      }
    }
  }

  /// A page of somebody else that has opened the identity provider's, and leads it on.
  @Test func `a page that has another tab go elsewhere is the one that counts`() throws {
    let opened =
      #"{"method":"Target.attachedToTarget","params":{"sessionId":"T","targetInfo":{"targetId":"G","openerId":"F"}}}"#
    let shown = [shows(Self.service), opened, shows(Self.provider, frame: "G", session: "T")]
    for story in [
      [begins(Self.link, frame: "G"), asks(Self.link, frame: "G", session: "T")],
      [
        begins("cieid:" + Self.link, frame: "G"),
        begins("cieid:" + Self.link, frame: "G", event: "frameStartedNavigating", session: "T"),
      ],
    ] {
      #expect { try ScriptedBrowser(shown + story).handOff() } throws: { error in
        if case LoginError.handOffElsewhere(let origin) = error {
          origin.host == "service.example"
        } else {
          false
        }
      }
    }
    let own = [
      begins("cieid:" + Self.link, frame: "G", event: "frameStartedNavigating", session: "T")
    ]
    #expect(try ScriptedBrowser(shown + own).handOff().url.text == Self.link)
    // A new tab has no page yet: that of its opener counts.
    let new = [shows(Self.provider), opened] + own
    #expect(try ScriptedBrowser(new).handOff().url.text == Self.link)
  }

  @Test func `the login is answered in the tab in which it was handed over`() throws {
    let opened =
      #"{"method":"Target.attachedToTarget","params":{"sessionId":"T","targetInfo":{"targetId":"G","openerId":"F"}}}"#
    let browser = ScriptedBrowser(
      opened, asks(Self.link, frame: "G", initiator: Self.provider, session: "T"))
    var login = browser.login()
    _ = try login.reachHandOff(from: try RedirectURL(Self.service))
    _ = browser.heard
    // The browser is gone then; what it was told before is seen.
    _ = try? login.resume(with: try RedirectURL(Self.provider))
    #expect(
      browser.heard.contains(
        #""method":"Page.navigate","params":{"url":"\#(Self.provider)"},"sessionId":"T""#))
  }

  @Test func `while the card is asked other pages go on, and hand-offs go nowhere`() throws {
    let browser = ScriptedBrowser(
      asks(Self.link, initiator: Self.provider), asks(Self.service, request: "other"),
      asks(Self.link, initiator: Self.provider, request: "again"))
    var login = browser.login()
    _ = try login.reachHandOff(from: try RedirectURL(Self.service))
    _ = browser.heard
    #expect { try login.goOn(until: CancellationToken()) } throws: { "\($0)" == "cancelled" }
    let heard = browser.heard
    #expect(heard.contains(#""Fetch.continueRequest","params":{"requestId":"other"}"#))
    #expect(heard.contains(#""Fetch.failRequest","params":{"requestId":"again","#))
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

  private func shows(_ page: String, frame: String = "F", session: String = "S") -> String {
    #"{"method":"Page.frameNavigated","sessionId":"\#(session)","params":{"frame":{"id":"\#(frame)","#
      + #""url":"\#(page)"}}}"#
  }

  /// The answer to the seventh command, after those with which a tab is watched and its first page opened.
  private func answers(_ page: String) -> String {
    #"{"id":7,"result":{"currentIndex":1,"entries":[{"url":"about:blank"},{"url":"\#(page)"}]}}"#
  }

  private func asks(
    _ link: String, frame: String = "F", initiator: String? = nil, request: String = "R",
    session: String = "S"
  ) -> String {
    #"{"method":"Fetch.requestPaused","sessionId":"\#(session)","params":{"requestId":"\#(request)","#
      + #""frameId":"\#(frame)",\#(member(initiator))"request":{"url":"\#(link)","headers":{}}}}"#
  }

  private func begins(
    _ link: String, initiator: String? = nil, frame: String = "F",
    event: String = "frameRequestedNavigation", session: String = "S"
  ) -> String {
    #"{"method":"Page.\#(event)","sessionId":"\#(session)","params":{"frameId":"\#(frame)","#
      + #"\#(member(initiator))"url":"\#(link)"}}"#
  }

  private func member(_ initiator: String?) -> String {
    initiator.map { #""initiator":"\#($0)","# } ?? ""
  }
}
