import Primitives
import Testing

@testable import SignIn

/// Kind and stable name of each value that an error of a sign-in names: by them a program chooses its exit status.
@Suite struct SignInDiagnosisTests {
  private static let causes: [(SignInError.Cause, Diagnosis.Kind, String)] = [
    (.exchange(.http(.timeout)), .network, "timeout"),
    (.exchange(.notJSON(status: 200)), .serverRefused, "answer-unusable"),
    (.exchange(.missingMember("a")), .serverRefused, "answer-unusable"),
    (.exchange(.redirected(status: 302)), .untrustedRequest, "answer-redirects"),
    (.token(.signatureInvalid), .false, "token-not-believed"),
    (.clientKey(.unreadable, path: "a"), .usage, "client-key-unreadable"),
    (.clientKey(.exposed, path: "a"), .usage, "client-key-exposed"),
    (.clientKey(.unusable, path: "a"), .usage, "client-key-unusable"),
    (.clientKey(.onlySigns, path: "a"), .usage, "client-key-only-signs"),
    (.openID(.federation(.statement(.expired))), .false, "openid-federation"),
    (.openID(.notSigned), .false, "token-not-believed"),
    (.description(.notAnObject), .usage, "service-not-an-object"),
    (.store(.keyLost), .notSignedIn, "not-signed-in"),
    (.store(.tooLarge), .internalFailure, "session-unusable"),
    (.store(.folder(.exposed)), .usage, "state-exposed"),
    (.listener, .internalFailure, "listener-failed"),
  ]

  @Test(arguments: causes.indices)
  func `each value that an error names has its kind and its name`(_ index: Int) {
    let (cause, kind, name) = Self.causes[index]
    let diagnosis = Diagnosis(SignInError(cause))
    #expect(diagnosis.kind == kind && diagnosis.name == name)
  }
}
