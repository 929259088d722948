import SignIn
import Testing

@Suite struct SignInMethodTests {
  @Test func `a method's name is what stands in a description`() {
    #expect(SignInMethod(rawValue: "identity-app") == .identityApp)
    #expect(SignInMethod(rawValue: "photoid") == nil)
  }
}
