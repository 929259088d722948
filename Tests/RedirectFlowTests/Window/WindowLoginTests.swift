import Primitives
import Testing

@testable import RedirectFlow
@testable import Web

/// A login in a browser with prepared messages: the detected hand-offs, and their accepted sources.
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

  @Test func `another site's page hands no login over, by link or by app address`()
    throws
  {
    let stories = [
      [asks(Self.link), answers(Self.service)],
      [shows(Self.service), begins("CIEID://" + Self.link)],
    ]
    for story in stories {
      let browser = ScriptedBrowser(story)
      #expect { try browser.handOff() } throws: { error in
        if case .handOffElsewhere(let origin) = (error as? LoginError)?.cause {
          origin.host == "service.example"
        } else {
          false
        }
      }
    }
  }

  /// Firefox names the requesting page, which a tab that another page controls does not show.
  @Test
  func `the page named by the browser as requesting counts, not the tab's page`()
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
        switch (error as? LoginError)?.cause {
        case .handOffElsewhere(let origin): origin.host == host
        case .noHandOff: host == nil
        default: false
        }
      }
    }
  }

  /// Another site's page that has opened the identity provider's, and navigates it.
  @Test func `a page that navigates another tab is the one that counts`() throws {
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
        if case .handOffElsewhere(let origin) = (error as? LoginError)?.cause {
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
    // The browser is gone then; its earlier commands are checked.
    _ = try? login.resume(with: try RedirectURL(Self.provider))
    #expect(
      browser.heard.contains(
        #""method":"Page.navigate","params":{"url":"\#(Self.provider)"},"sessionId":"T""#))
  }

  /// An identity provider without a question: the browser would post the answer at once, so it does not get the page.
  @Test func `an answer without a question is held until the person agrees`() throws {
    let body = Responses.base64(Responses.page())
    let page =
      #"{"method":"Fetch.requestPaused","sessionId":"S","params":{"requestId":"P","frameId":"F","#
      + #""responseStatusCode":200,"responseHeaders":[],"request":{"url":"\#(Self.provider)","headers":{}}}}"#
    for (document, isHeld) in [(body, true), (Responses.base64("<p>Consenso"), false)] {
      let browser = ScriptedBrowser(
        asks(Self.link, initiator: Self.provider), page,
        #"{"id":9,"result":{"base64Encoded":true,"body":"\#(document)"}}"#)
      var login = browser.login()
      _ = try login.reachHandOff(from: try RedirectURL(Self.service))
      _ = browser.heard
      guard isHeld else {
        // The browser is gone then, after its command to continue.
        _ = try? login.resume(with: try RedirectURL(Self.provider))
        #expect(browser.heard.contains(#""Fetch.continueRequest""#))
        continue
      }
      guard case .answer(let answer) = try login.resume(with: try RedirectURL(Self.provider)) else {
        Issue.record("not held")
        return
      }
      #expect(!browser.heard.contains(#""Fetch.continueRequest""#))
      #expect(answer.response.attributes.map(\.name) == ["name", "fiscalNumber"])
      #expect("\(answer.submission.url.origin)" == Script.sp)
      _ = try? login.release(answer)
      #expect(browser.heard.contains(#""Fetch.continueRequest","params":{"requestId":"P"}"#))
    }
  }

  @Test func `while the card is busy other pages continue, and hand-offs are blocked`() throws {
    let browser = ScriptedBrowser(
      asks(Self.link, initiator: Self.provider), asks(Self.service, request: "other"),
      asks(Self.link, initiator: Self.provider, request: "again"))
    var login = browser.login()
    _ = try login.reachHandOff(from: try RedirectURL(Self.service))
    _ = browser.heard
    #expect { try login.resume(until: CancellationToken()) } throws: {
      Self.cause(of: $0) == "cancelled"
    }
    let heard = browser.heard
    #expect(heard.contains(#""Fetch.continueRequest","params":{"requestId":"other"}"#))
    #expect(heard.contains(#""Fetch.failRequest","params":{"requestId":"again","#))
  }

  @Test func `an address for the app that leads to another host is refused`() throws {
    let browser = ScriptedBrowser(
      shows(Self.provider), begins("CIEID://https://evil.example/OpenApp?nextUrl=x"))
    #expect { try browser.handOff() } throws: { error in
      if case .handOff(.link(.foreignHost)) = (error as? LoginError)?.cause { true } else { false }
    }
  }

  @Test func `a frame inside a page hands no login over`() throws {
    let browser = ScriptedBrowser(shows(Self.provider), asks(Self.link, frame: "inner"))
    #expect { try browser.handOff() } throws: { error in
      if case .cancelled = (error as? LoginError)?.cause { true } else { false }
    }
  }

  @Test(arguments: [
    (false, "cancelled"), (true, "browserFailed"),
  ])
  func `a missing browser was closed, or has failed`(_ hasFailed: Bool, _ name: String) {
    let browser = ScriptedBrowser(shows(Self.service), hasFailed: hasFailed)
    #expect { try browser.handOff() } throws: { Self.cause(of: $0) == name }
  }

  @Test(arguments: ["{", "[]", "{\"id\":\"1\"}", "\u{1}"])
  func `an invalid message ends the login`(_ text: String) {
    let browser = ScriptedBrowser(text)
    #expect { try browser.handOff() } throws: { Self.cause(of: $0) == "browserFailed" }
  }

  @Test func `a command is JSON whatever its texts contain`() throws {
    let text = "\"\\\u{0}\u{1F}\u{E8}"
    let value = try JSONValue([UInt8](JSON.object([.init(text, text)]).text.utf8))
    #expect(value[text]?.text == text)
  }

  private static func cause(of error: any Error) -> String? {
    (error as? LoginError).map { "\($0.cause)" }
  }

  private func shows(_ page: String, frame: String = "F", session: String = "S") -> String {
    #"{"method":"Page.frameNavigated","sessionId":"\#(session)","params":{"frame":{"id":"\#(frame)","#
      + #""url":"\#(page)"}}}"#
  }

  /// The answer to the seventh command, after those that watch a tab and open its first page.
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
