import Primitives
import TestSupport
import Testing

@testable import SignIn

/// Rules for claims, with tokens that the package itself signs; other tests verify its signatures.
@Suite struct TokenExpectationTests {
  private let key: ClientKey
  private let verifier: TokenVerifier
  private let now: UTCTime = 1_790_000_000

  init() throws {
    key = try ClientKey(json: [UInt8](TokenVectors.all.get().clientEc.utf8))
    verifier = TokenVerifier(keys: try KeySet(json: [UInt8](key.publicKeys.text.utf8)))
  }

  /// Result for a valid token with some claims changed; `nil` removes one.
  private func outcome(
    _ changes: [String: JSON?], now: UTCTime? = nil,
    _ adjust: (inout TokenExpectations) -> Void = { _ in }
  ) throws -> String {
    var claims: [String: JSON?] = [
      "iss": .string("https://op.example"), "aud": .string("me"), "sub": .string("person"),
      "nonce": .string("n"), "iat": .int(1_790_000_000), "exp": .int(1_790_000_300),
    ]
    claims.merge(changes) { _, new in new }
    let members = claims.compactMap { name, value in value.map { JSON.Member(name, $0) } }
    let token = try key.sign(.object(members))
    var expectations = TokenExpectations(
      issuer: "https://op.example", audience: "me", nonce: "n")
    adjust(&expectations)
    return problem { _ = try verifier.verify(token, expectations, now: now ?? self.now) }
  }

  @Test func `a good token is believed`() throws { #expect(try outcome([:]) == "none") }

  @Test(arguments: ["iss", "aud", "nonce", "iat", "exp"])
  func `a claim that must be there is missed, and must be of its kind`(_ name: String) throws {
    #expect(try outcome([name: nil]) == "claimMissing")
    #expect(try outcome([name: .null]) == "claimMissing")
    #expect(try outcome([name: .bool(true)]) == "claimMalformed")
    #expect(try outcome([name: .object([])]) == "claimMalformed")
  }

  @Test func `the issuer is compared letter by letter`() throws {
    for issuer in [
      "https://op.example/", "https://OP.example", "https://op.example.evil", "op.example",
    ] {
      #expect(try outcome(["iss": .string(issuer)]) == "issuerWrong")
    }
    #expect(try outcome(["iss": .string("")]) == "claimMalformed")
  }

  @Test func `one of several audiences needs to be the authorized party`() throws {
    let both = JSON.array([.string("other"), .string("me")])
    #expect(try outcome(["aud": .string("other")]) == "audienceWrong")
    #expect(try outcome(["aud": .array([])]) == "audienceWrong")
    #expect(try outcome(["aud": .array([.int(1)])]) == "claimMalformed")
    #expect(try outcome(["aud": .array([.string("me")])]) == "none")
    #expect(try outcome(["aud": both]) == "claimMissing")
    #expect(try outcome(["aud": both, "azp": .string("other")]) == "authorizedPartyWrong")
    #expect(try outcome(["azp": .string("other")]) == "authorizedPartyWrong")
    #expect(try outcome(["aud": both, "azp": .string("me")]) == "none")
  }

  @Test func `clocks may differ by a minute and no more`() throws {
    #expect(try outcome([:], now: 1_790_000_359) == "none")
    #expect(try outcome([:], now: 1_790_000_360) == "expired")
    #expect(try outcome([:], now: 1_789_999_940) == "none")
    #expect(try outcome([:], now: 1_789_999_939) == "issuedInFuture")
    #expect(try outcome(["nbf": .int(1_790_000_060)]) == "none")
    #expect(try outcome(["nbf": .int(1_790_000_061)]) == "notYetValid")
    #expect(try outcome(["nbf": .string("soon")]) == "claimMalformed")
  }

  @Test func `a moment beyond the calendar is no moment`() throws {
    for moment in [Int.min, -1, 253_402_300_800, Int.max] {
      #expect(try outcome(["exp": .int(moment)]) == "claimMalformed")
    }
    for text in ["1e400", "-0.5", "1e12"] {
      let claims = try TokenClaims([UInt8](#"{"exp":\#(text)}"#.utf8))
      #expect(problem { _ = try claims.moment("exp") } == "claimMalformed")
    }
    #expect(try TokenClaims([UInt8](#"{"a":1.9e3}"#.utf8)).moment("a") == 1900)
  }

  @Test func `the age of the token and of the authentication may be limited`() throws {
    #expect(try outcome([:], now: 1_790_000_160) { $0.maximumAge = 100 } == "none")
    #expect(try outcome([:], now: 1_790_000_161) { $0.maximumAge = 100 } == "tooOld")
    #expect(try outcome([:]) { $0.maximumAuthenticationAge = 100 } == "claimMissing")
    let old = ["auth_time": JSON.int(1_789_999_839)]
    #expect(try outcome(old) { $0.maximumAuthenticationAge = 100 } == "tooOld")
    #expect(try outcome(old) { $0.maximumAuthenticationAge = 101 } == "none")
  }

  @Test func `the nonce, the person and the access token are those that they were`() throws {
    #expect(try outcome(["nonce": .string("m")]) == "nonceWrong")
    #expect(try outcome(["nonce": .string("nn")]) == "nonceWrong")
    #expect(try outcome([:]) { $0.subject = "person" } == "none")
    #expect(try outcome([:]) { $0.subject = "another" } == "subjectWrong")
    #expect(try outcome(["sub": nil]) { $0.subject = "another" } == "claimMissing")
    // The left half of SHA-256 of "token", by OpenSSL.
    let hash = JSON.string("PEaenWxYddN6Q_NT1PiOYQ")
    #expect(try outcome(["at_hash": hash]) { $0.accessToken = "token" } == "none")
    #expect(try outcome(["at_hash": hash]) { $0.accessToken = "taken" } == "accessTokenHashWrong")
    #expect(try outcome(["at_hash": .string("")]) { $0.accessToken = "token" } != "none")
    #expect(try outcome([:]) { $0.accessToken = "token" } == "none")
  }

  @Test func `the level may be higher than asked for, and not lower`() throws {
    let level = AuthenticationLevel.two
    func acr(_ text: String) throws -> String {
      try outcome(["acr": .string(text)]) { $0.level = level }
    }
    #expect(try acr("https://www.spid.gov.it/SpidL1") == "levelTooLow")
    #expect(try acr("https://www.spid.gov.it/SpidL2") == "none")
    #expect(try acr("https://www.spid.gov.it/SpidL3") == "none")
    for text in [
      "https://www.spid.gov.it/SpidL4", "https://www.spid.gov.it/SpidL33", "SpidL3", "3",
      "https://www.spid.gov.it/SpidL٣",
    ] {
      #expect(try acr(text) == "levelTooLow")
    }
    #expect(try outcome([:]) { $0.level = level } == "claimMissing")
  }
}
