import CIECard
import RedirectFlow
import Synchronization
import TestSupport
import Testing

@testable import SignIn

@Suite struct ScopeRequestTests {
  typealias Script = ScopeRequestScript

  @Test func `a link to the app, polling and the person's data, each step told`() async throws {
    let folder = try TemporaryDirectory()
    let script = try Script().answering(
      Script.poll, Script.pending, Script.pending, Script.answered("data-received"))
    let (servers, clock, heard) = (script.servers, ScriptedClock(), HeardStatuses())
    var method = try Script.method(folder)
    method.hooks = heard.hooks
    let browser = try await method.begin(try servers.context(clock: clock)).browser
    #expect(browser.url.text.hasPrefix("https://localhost:8443/sip/app?"))
    #expect(browser.url.value(of: "$originator") == "mobile")
    #expect(browser.url.value(of: "$scoperequest") == "scope+/=&request")
    #expect(browser.url.value(of: "$redirectURL") == nil)
    #expect(browser.url.value(of: "$fallback_url") == "https://localhost:8443")
    #expect(browser.until == UTCTime(seconds: clock.now.seconds + 120))
    #expect(heard.all == [.fetchingScopeRequest, .launching])
    let account = try await browser.wait().account
    #expect(clock.waited == 10)
    #expect(
      heard.all.dropFirst(2) == [
        .pollingForUserData, .pollingForUserData, .pollingForUserData, .authorizing,
        .fetchingUserData,
      ])
    #expect(account.method == "identity-app" && account.tokens?.access == "h.p.s")
    #expect(account.claims["userId"] == ["u-1"] && account.claims[.nome] == "SOFIA")
    #expect(account.claims[.emailAddress] == "sofia@example.invalid")
    #expect(account.claims[.numeroTelefono] == "390000000042", "a value may be a number")
    #expect(account.claims[.dataNascita] == nil, "what the app calls invalid is left out")
    #expect(account.claims["someone.else"].isEmpty)
    #expect(
      servers.requests.last
        == #"POST \#(Script.base)scopeRequest/appToApp/connectXCtr {"jwtToken":"h.p.s"}"#)
  }

  @Test func `the portrait among the data is decoded`() async throws {
    let folder = try TemporaryDirectory()
    let method = try Script.method(folder)
    let account = try await method.begin(try Script().servers.context()).browser.wait().account
    #expect(account.claims.photo?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    func photo(_ text: String) -> [UInt8]? {
      AccountClaims([AccountClaims.Claim("photo", [text])]).photo
    }
    #expect(photo("data:image/jpeg;base64,/9j/4A==") == [0xFF, 0xD8, 0xFF, 0xE0])
    #expect(photo("bm8gcGljdHVyZQ==") == nil && photo("?") == nil && photo("") == nil)
    #expect(AccountClaims([AccountClaims.Claim]()).photo == nil)
  }

  @Test(arguments: [
    ("minimum", "civicBasic"), ("anonymous", "Anonymous_Login"), ("identity", "proofOfIdentity"),
    ("residence", "proofOfResidence"), ("age", "proofOfAge"),
  ])
  func `each scope is asked for by the kit's word`(scope: String, word: String) async throws {
    let folder = try TemporaryDirectory()
    let servers = try Script().servers
    let method = try Script.method(folder, #","scope":"\#(scope)""#)
    _ = try await method.begin(try servers.context())
    #expect(
      servers.requests.first?.hasSuffix(
        #"{"appId":"app","mobileId":"mobile","verificationLevel":"\#(word)","#
          + #""civicConnect":{"type":"linux","version":"1.0.0"}}"#) == true)
    #expect(IdentityAppScope.allCases.map(\.rawValue).contains(scope))
  }

  @Test
  func `a program that fetches the data elsewhere gets the token, not looked at`() async throws {
    let folder = try TemporaryDirectory()
    let servers = try Script().servers
    var method = try Script.method(folder)
    let seen = Mutex<[String]>([])
    method.hooks.shouldFetch = { token in
      seen.withLock { $0.append(token) }
      return false
    }
    let account = try await method.begin(try servers.context()).browser.wait().account
    #expect(account.tokens?.access == "h.p.s" && account.claims.all.isEmpty)
    #expect(seen.withLock { $0 } == ["h.p.s"])
    #expect(!servers.requests.contains { $0.contains("connectXCtr") })
  }

  @Test func `the return address is taken by scheme and keyword, exactly`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      "app.desktop",
      "[Desktop Entry]\nMimeType=text/plain;x-scheme-handler/cie-read-test;\n".utf8)
    let method = try Script.method(
      folder, #","returnScheme":"cie-read-test","schemeHandler":"app.desktop""#)
    let browser = try await method.begin(try Script().servers.context()).browser
    #expect(browser.url.value(of: "$redirectURL") == "cie-read-test://pollForData")
    #expect(method.canHandle("cie-read-test://pollForData"))
    #expect(method.canHandle("cie-read-test://pollForData/"))
    for other in [
      "cie-read-test://pollfordata", "cie-read-test://pollForData?code=1",
      "CIE-READ-TEST://pollForData", "cie-read-test://pollForData.elsewhere",
      "https://pollForData", "cie-read-test2://pollForData", "x cie-read-test://pollForData", "",
    ] {
      #expect(!method.canHandle(other), "\(other)")
    }
    #expect(try !Script.method(folder).canHandle("cie-read-test://pollForData"))
  }

  @Test(arguments: [204, 405, 0])
  func `polling is ended at any time, and the server is told`(status: Int) async throws {
    let folder = try TemporaryDirectory()
    let servers = try Script().answering(Script.poll, Script.pending)
      .answering(
        "DELETE scopeRequest/" + Script.uuid,
        status == 0 ? .failure(.timeout) : .status(status)
      ).servers
    let clock = ScriptedClock()
    let context = try servers.context(clock: clock)
    let browser = try await Script.method(folder).begin(context).browser
    context.cancel()
    let error = try await refusal { try await browser.wait() }
    #expect(error.isCancelled && clock.waited == 0)
    #expect(servers.requests.filter { $0.hasPrefix("GET") }.count <= 1)
    #expect(servers.requests.last == "DELETE \(Script.base)scopeRequest/\(Script.uuid)")
  }

  @Test
  func `while the network fails the server is asked less and less often, and then as before`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let outage = ScriptedServers.Answer.failure(.timeout)
    let script = try Script()
      .answering(Script.verify, Script.begun(timeout: "3600"))
      .answering(
        Script.poll, outage, outage, outage, outage, outage, Script.pending, Script.pending,
        Script.answered("data-dispatched"))
    let clock = ScriptedClock()
    let context = try script.servers.context(clock: clock)
    _ = try await Script.method(folder).begin(context).browser.wait().account
    #expect(clock.waited == 10 + 20 + 40 + 60 + 60 + 5 + 5)
  }

  @Test func `a server that is asked too often is given the time that it wants`() async throws {
    let folder = try TemporaryDirectory()
    let script = try Script().answering(
      Script.poll, .status(429, [.init(name: "retry-after", value: "33")]),
      Script.answered("data-received"))
    let clock = ScriptedClock()
    let context = try script.servers.context(clock: clock)
    _ = try await Script.method(folder).begin(context).browser.wait().account
    #expect(clock.waited == 33)
  }
}
