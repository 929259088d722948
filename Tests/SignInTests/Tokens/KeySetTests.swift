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

  @Test func `a list that is none is refused`() {
    for json in [
      "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#,
      #"{"keys":[\#([String](repeating: "{\"kty\":\"oct\"}", count: 65).joined(separator: ","))]}"#,
    ] {
      #expect(outcome(json) == "keySetMalformed", "\(json)")
    }
    #expect(outcome(String(repeating: " ", count: 70_000)) == "tooLong")
    #expect(outcome(#"{"keys":[],"keys":[]}"#) == "repeatedMember")
  }

  /// RFC 7517 §5: keys with missing members or values out of range are ignored; the others stay valid.
  @Test func `a bad key is not believed, and does not spoil the others`() throws {
    let vectors = try TokenVectors.all.get()
    let token = try #require(vectors.signed.first { $0.kid == "p384" }).token
    let rest = vectors.keys.dropFirst(#"{"keys": ["#.count)
    let weak = vectors.weak.dropFirst(#"{"keys": ["#.count).dropLast(2)
    let long = "_" + String(repeating: "A", count: 1399)
    for bad in [
      "{}", #"{"kty":1}"#, #"{"kty":"RSA"}"#, #"{"kty":"RSA","n":"AAAA","e":"AQAB"}"#,
      #"{"kty":"RSA","n":"AQAB","e":"AQ"}"#, #"{"kty":"RSA","n":"AQAB","e":"Ag"}"#,
      #"{"kty":"RSA","n":"AQAB","e":"AQAB="}"#, #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
      #"{"kty":"EC","crv":"P-256"}"#, #"{\#(Self.curve),"kid":1}"#, #"{\#(Self.curve),"d":"AA"}"#,
      #"{"kty":"RSA","e":"AQAB","n":"\#(long)"}"#, String(weak),
    ] {
      #expect(try KeySet(json: [UInt8](#"{"keys":[\#(bad)]}"#.utf8)).isEmpty, "\(bad)")
      let keys = try KeySet(json: [UInt8](#"{"keys":[\#(bad),\#(rest)"#.utf8))
      _ = try TokenVerifier(keys: keys).claims(signedIn: token, types: ["jwt"])
    }
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

  @Test func `of two keys of one name and kind neither is taken, whatever the others`() throws {
    let vectors = try TokenVectors.all.get()
    func found(_ kid: String, _ more: String) throws -> String {
      let token = try #require(vectors.signed.first { $0.kid == kid }).token
      let list = vectors.keys.replacing("[", with: "[\(more),", maxReplacements: 1)
      let keys = try KeySet(json: [UInt8](list.utf8))
      return problem { _ = try TokenVerifier(keys: keys).claims(signedIn: token, types: ["jwt"]) }
    }
    let twin = #"{\#(Self.curve),"kid":"p256"}"#
    #expect(try found("p256", twin) == "keySetRepeatsName")
    #expect(try found("p384", twin) == "none")
    // Keys of different types may share an ID (RFC 7517 §4.5).
    #expect(try found("rsa", #"{\#(Self.curve),"kid":"rsa"}"#) == "none")
  }

  @Test func `a point beside its curve is no key`() throws {
    let beside = Self.curve.replacing("x_FE", with: "x_FF")
    let keys = try KeySet(json: [UInt8](#"{"keys":[{\#(beside),"kid":"p256"}]}"#.utf8))
    let token = try #require(TokenVectors.all.get().signed.first { $0.kid == "p256" }).token
    #expect(
      problem { _ = try TokenVerifier(keys: keys).claims(signedIn: token, types: []) }
        == "keySetMalformed")
  }

  /// Key and token made by Authlib 1.2: x begins with a zero byte, which is omitted (RFC 7518 §6.2.1.2).
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
    let weak = try folder.write("weak", [UInt8](TokenVectors.all.get().weak.utf8))
    #expect(problem { _ = try KeySet(file: weak) } == "keySetMalformed")
  }
}
