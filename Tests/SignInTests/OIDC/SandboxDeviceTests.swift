import Primitives
import Foundation
import Web
import TestSupport
import Testing

@testable import SignIn

/// Device grant (RFC 8628) against the sandbox's provider.
@Suite(.serialized) struct SandboxDeviceTests {
  private static let shared = Result { try Sandbox() }

  private func sandbox() throws -> Sandbox {
    let sandbox = try Self.shared.get()
    try sandbox.clear()
    return sandbox
  }

  private func session(
    _ sandbox: Sandbox, clock: ScriptedClock? = nil
  ) async throws -> OpenIDSession {
    let path = try sandbox.address("service")
    let value = try JSONValue([UInt8](Data(contentsOf: URL(filePath: path))))
    let own = try #require(value["methods"]?.list?.first { $0["method"]?.text == "identity-app" })
    var entry = try ServiceEntry(own, folder: String(path.dropLast("service.json".count)))
    let client = try OpenIDClient(&entry)
    let context = try SignInContext(
      service: "Sandbox", trust: sandbox.address("ca"),
      sleep: { time in clock.map { $0.wait(time) } ?? SignInContext.block(for: time) })
    return try OpenIDSession(client, context)
  }

  @Test func `a person who agrees on their phone is signed in here`() async throws {
    let sandbox = try sandbox()
    let device = try await DeviceAuthorization.begin(session(sandbox), scopes: ["identity"])
    #expect(device.url.text.hasPrefix(try sandbox.address("ways")))
    #expect(device.url.text.contains(device.userCode))
    try sandbox.decide(device.userCode)
    let account = try device.account(of: try device.tokens(), .identityApp)
    #expect(account.method == "identity-app")
    #expect(account.claims[AccountField.cognome] == "PROVA")
  }

  @Test
  func `the person's decision is asked for until it comes, slower when the provider wants it`()
    async throws
  {
    let sandbox = try sandbox()
    let clock = ScriptedClock()
    let device = try await DeviceAuthorization.begin(
      session(sandbox, clock: clock), scopes: ["identity"])
    try sandbox.decide(device.userCode)
    try sandbox.arm("oidc-poll-pending")
    try sandbox.arm("oidc-poll-slow-down")
    _ = try device.tokens()
    // One second, one more, and then five longer.
    #expect(clock.waited == 1 + 1 + 6)
  }

  @Test(arguments: ["deny", "expire"])
  func `a person who says no, or does not come, is not signed in`(_ outcome: String) async throws {
    let sandbox = try sandbox()
    let device = try await DeviceAuthorization.begin(
      session(sandbox, clock: ScriptedClock()), scopes: ["identity"])
    try sandbox.decide(device.userCode, outcome)
    let error = try await refusal { try device.tokens() }
    if outcome == "deny" {
      guard case .denied = error.cause else {
        Issue.record("\(error)")
        return
      }
    } else {
      #expect(error.cause == .expired)
    }
  }

  @Test(arguments: [
    ("device-invalid-client", SignInError.Cause.openID(.refused(.invalidClient))),
    ("device-invalid-scope", .invalidScope), ("device-http-uri", .exchange(.notHTTPS)),
    ("device-long-interval", .exchange(.wrongMember("interval"))),
  ])
  func `an answer that would lead elsewhere or nowhere is refused`(
    fault: String, reason: SignInError.Cause
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-" + fault)
    let error = try await refusal {
      try await DeviceAuthorization.begin(self.session(sandbox), scopes: ["identity"])
    }
    #expect(error.cause == reason)
  }

  @Test func `an address at a foreign server is not shown to the person`() async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-device-foreign-uri")
    let error = try await refusal {
      try await DeviceAuthorization.begin(self.session(sandbox), scopes: ["identity"])
    }
    guard case .exchange(.foreignHost) = error.cause else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `without an interval it is five seconds`() async throws {
    let sandbox = try sandbox()
    let clock = ScriptedClock()
    try sandbox.arm("oidc-device-no-interval")
    let device = try await DeviceAuthorization.begin(
      session(sandbox, clock: clock), scopes: ["identity"])
    try sandbox.decide(device.userCode)
    _ = try device.tokens()
    #expect(clock.waited == 5)
  }

  @Test func `whoever waits for a device can be told to stop`() async throws {
    let sandbox = try sandbox()
    let session = try await session(sandbox)
    let device = try DeviceAuthorization.begin(session, scopes: ["identity"])
    session.context.cancel()
    #expect(try await refusal { try device.tokens() }.reason == .cancelled)
  }
}
