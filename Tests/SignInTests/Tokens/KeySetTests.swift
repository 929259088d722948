import TestSupport
import Testing

@testable import SignIn

@Suite struct KeySetTests {
  private func outcome(_ json: String) -> String {
    problem { _ = try KeySet(json: [UInt8](json.utf8)) }
  }

  private static let curve =
    #""kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
    + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#

  @Test func `a list that is none, or holds what is no key, is refused`() {
    for json in [
      "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#, #"{"keys":[{}]}"#,
      #"{"keys":[{"kty":1}]}"#, #"{"keys":[{"kty":"RSA"}]}"#,
      #"{"keys":[{"kty":"RSA","n":"AAAA","e":"AQAB"}]}"#,
      #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQ"}]}"#,
      #"{"keys":[{"kty":"RSA","n":"AQAB","e":"Ag"}]}"#,
      #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB="}]}"#,
      #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#,
      #"{"keys":[{"kty":"EC","crv":"P-256"}]}"#, #"{"keys":[{\#(Self.curve),"kid":1}]}"#,
      #"{"keys":[\#([String](repeating: "{\"kty\":\"oct\"}", count: 65).joined(separator: ","))]}"#,
    ] {
      #expect(outcome(json) == "keySetMalformed", "\(json)")
    }
    #expect(outcome(String(repeating: " ", count: 70_000)) == "tooLong")
    #expect(outcome(#"{"keys":[],"keys":[]}"#) == "repeatedMember")
  }

  @Test func `keys of another kind, use or curve are passed over`() throws {
    for key in [
      #"{"kty":"oct","k":"AAAA"}"#, #"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#,
      #"{\#(Self.curve),"use":"enc"}"#, #"{\#(Self.curve),"key_ops":["sign"]}"#,
      #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#,
    ] {
      #expect(try KeySet(json: [UInt8](#"{"keys":[\#(key)]}"#.utf8)).isEmpty, "\(key)")
    }
    #expect(
      try !KeySet(json: [UInt8](#"{"keys":[{\#(Self.curve),"key_ops":["verify"]}]}"#.utf8)).isEmpty)
  }

  @Test func `two keys of one name, a private key and a weak one spoil the list`() throws {
    let named = #"{\#(Self.curve),"kid":"a"}"#
    #expect(outcome(#"{"keys":[\#(named),\#(named)]}"#) == "keySetRepeatsName")
    #expect(outcome(#"{"keys":[{\#(Self.curve),"d":"AA"}]}"#) == "keySetHasPrivateKey")
    let vectors = try TokenVectors.all.get()
    #expect(throws: TokenProblem.keyLength(bits: 1024)) {
      try KeySet(json: [UInt8](vectors.weak.utf8))
    }
    let long = "_" + String(repeating: "A", count: 1399)
    #expect(outcome(#"{"keys":[{"kty":"RSA","e":"AQAB","n":"\#(long)"}]}"#) == "keyLength")
  }

  @Test func `a point beside its curve is no key`() throws {
    let beside = Self.curve.replacing("x_FE", with: "x_FF")
    let keys = try KeySet(json: [UInt8](#"{"keys":[{\#(beside),"kid":"p256"}]}"#.utf8))
    let token = try #require(TokenVectors.all.get().signed.first { $0.kid == "p256" }).token
    #expect(
      problem { _ = try TokenVerifier(keys: keys).claims(signedIn: token, types: []) }
        == "keySetMalformed")
  }

  /// A key and a token as Authlib 1.2 wrote them: x begins with a zero byte, which is left out (RFC 7518 §6.2.1.2).
  @Test func `a coordinate without its leading zeros is the same number`() throws {
    let key = """
      {"keys":[{"kty":"EC","crv":"P-256","kid":"short","x":"ccPoDguqaZa1KytD2pa6rfZK8bK-vG-WYNiYV1WfbA",\
      "y":"K6RvsKpiDnVsbdWUNEDQDKAoxXaFsWL-1JDfjIapUvA"}]}
      """
    let token = """
      eyJhbGciOiJFUzI1NiIsImtpZCI6InNob3J0In0.eyJpc3MiOiJhIn0.\
      uFLOgdlWxYmAmquL5rABaDl1YhGDkDU6UrRzYWifuQVNQasbexQkuEcVr3oQQsEOjAdffBmlXKGNMpeXrzhNqA
      """
    let verifier = TokenVerifier(keys: try KeySet(json: [UInt8](key.utf8)))
    #expect(try verifier.claims(signedIn: token, types: ["jwt"]).text("iss") == "a")
  }

  @Test func `a list may be pinned in a file`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      "keys", [UInt8](TokenVectors.all.get().keys.utf8), permissions: 0o644)
    #expect(try !KeySet(file: path).isEmpty)
    #expect(problem { _ = try KeySet(file: folder.path("none")) } == "keyFileUnreadable")
  }
}
