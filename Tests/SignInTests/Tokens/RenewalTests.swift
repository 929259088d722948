import Primitives
import TestSupport
import Testing

@testable import SignIn

/// Rules for the ID token of a refresh, compared with the former one (OpenID Connect Core §12.2).
@Suite struct RenewalTests {
  private static let level = "https://www.spid.gov.it/SpidL"

  private func outcome(_ new: String, _ old: String = "") throws -> String {
    func claims(_ more: String) throws -> TokenClaims {
      try TokenClaims([UInt8](#"{"iss":"i","sub":"s","iat":1000\#(more)}"#.utf8))
    }
    return problem { try claims(new).checkContinues(claims(old)) }
  }

  @Test func `what may stay away and what may not`() throws {
    #expect(try outcome("") == "none")
    #expect(try outcome("", #","nonce":"n","auth_time":900"#) == "none")
    #expect(try outcome("", #","azp":"a""#) == "authorizedPartyWrong")
    #expect(try outcome(#","azp":"a""#) == "authorizedPartyWrong")
    #expect(try outcome(#","azp":"a""#, #","azp":"a""#) == "none")
    #expect(try outcome(#","nonce":"n""#) == "nonceWrong")
    #expect(try outcome(#","nonce":"n""#, #","nonce":"m""#) == "nonceWrong")
    #expect(try outcome(#","nonce":"n""#, #","nonce":"n""#) == "none")
  }

  @Test func `the person authenticated when they did`() throws {
    #expect(try outcome(#","auth_time":900"#, #","auth_time":900"#) == "none")
    #expect(try outcome(#","auth_time":901"#, #","auth_time":900"#) == "authenticationTimeWrong")
    // Without `auth_time` in the former token, its `iat` is the limit, plus a minute for the clocks.
    #expect(try outcome(#","auth_time":1060"#) == "none")
    #expect(try outcome(#","auth_time":1061"#) == "authenticationTimeWrong")
  }

  @Test func `the level stays, or rises`() throws {
    func acr(_ number: Int) -> String { #","acr":"\#(Self.level)\#(number)""# }
    #expect(try outcome(acr(2), acr(2)) == "none")
    #expect(try outcome(acr(3), acr(2)) == "none")
    #expect(try outcome(acr(1), acr(2)) == "levelTooLow")
    #expect(try outcome("", acr(2)) == "levelTooLow")
    #expect(try outcome(#","acr":"other""#, #","acr":"1""#) == "none")
  }

  @Test func `issuer and person are the same`() throws {
    let other = try TokenClaims([UInt8](#"{"iss":"j","sub":"s"}"#.utf8))
    let third = try TokenClaims([UInt8](#"{"iss":"i","sub":"t"}"#.utf8))
    let first = try TokenClaims([UInt8](#"{"iss":"i","sub":"s"}"#.utf8))
    #expect(problem { try other.checkContinues(first) } == "issuerWrong")
    #expect(problem { try third.checkContinues(first) } == "subjectWrong")
  }
}
