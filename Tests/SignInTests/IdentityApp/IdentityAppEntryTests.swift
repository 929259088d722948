import Web
import Primitives
import Testing

@testable import SignIn

@Suite struct IdentityAppEntryTests {
  private func problem(_ further: String) -> ServiceProblem? {
    do {
      let text =
        #"{"issuer":"https://op.test","clientId":"c","clientKey":"k.jwk"\#(further)}"#
      var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: "/")
      _ = try ConfiguredMethod(.identityApp, &entry)
      return nil
    } catch { return (error as? SignInError)?.serviceProblem }
  }

  @Test func `an identity app's entry has a known scope, and nothing of its kit's own protocol`() {
    #expect(problem("") == nil)
    for scope in IdentityAppScope.allCases {
      #expect(problem(#","scope":"\#(scope.rawValue)""#) == nil)
    }
    #expect(problem(#","scope":"everything""#) == .wrongMember("scope"))
    #expect(problem(#","protocol":"scope-request""#) == .unknownMember("protocol"))
    #expect(problem(#","insecure":true"#) == .unknownMember("insecure"))
  }
}
