import Primitives
import TestSupport
import Testing

@testable import SignIn

@Suite struct SignedTokenTests {
  @Test func `a token of each algorithm that another library made is believed`() throws {
    let vectors = try TokenVectors.all.get()
    #expect(Set(vectors.signed.map(\.alg)) == Set(TokenAlgorithm.allCases.map(\.rawValue)))
    for signed in vectors.signed {
      let claims = try vectors.verifier().verify(
        signed.token, TokenVectors.expectations, now: vectors.now)
      #expect(try claims.requiredText("sub") == "person")
      #expect(try claims.text("given_name") == "Niccolò")
    }
  }

  @Test(arguments: try TokenVectors.all.get().broken)
  func `a broken or forged token has the problem that it has`(_ case: TokenVectors.Judged) throws {
    let vectors = try TokenVectors.all.get()
    let verifier = try vectors.verifier()
    let found = problem {
      _ = try verifier.verify(`case`.token, TokenVectors.expectations, now: vectors.now)
    }
    #expect(found == `case`.problem)
  }

  @Test func `a token longer than any honest one is not looked at`() throws {
    let vectors = try TokenVectors.all.get()
    let verifier = try vectors.verifier()
    let long = String(repeating: "a", count: CompactToken.lengthLimit + 1)
    #expect(
      problem { _ = try verifier.verify(long, TokenVectors.expectations, now: 0) } == "tooLong")
    let dots = String(repeating: ".", count: CompactToken.lengthLimit)
    #expect(
      problem { _ = try verifier.verify(dots, TokenVectors.expectations, now: 0) } == "malformed")
  }

  @Test func `tokens cut off or changed anywhere are refused without a trap`() throws {
    let vectors = try TokenVectors.all.get()
    let verifier = try vectors.verifier()
    let token = try #require(vectors.signed.first { $0.alg == "ES256" }).token
    let bytes = [UInt8](token.utf8)
    for index in bytes.indices {
      let cut = String(decoding: bytes[..<index], as: UTF8.self)
      #expect(problem { _ = try verifier.claims(signedIn: cut, types: ["jwt"]) } != "none")
      var other = bytes
      other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let changed = String(decoding: other, as: UTF8.self)
      #expect(problem { _ = try verifier.claims(signedIn: changed, types: ["jwt"]) } != "none")
    }
  }

  @Test func `the kind may be written with application before it and in any letters`() throws {
    for type in ["JWT", "jwt", "application/jwt"] {
      let bytes = [UInt8](#"{"alg":"RS256","typ":"\#(type)"}"#.utf8)
      try TokenHeader(bytes).check(types: ["jwt"])
    }
    let header = try TokenHeader([UInt8](#"{"alg":"RS256","typ":"application/x"}"#.utf8))
    #expect(problem { try header.check(types: ["jwt"]) } == "wrongType")
  }

  @Test func `claims show their names and no values wherever they are printed`() throws {
    let claims = try TokenClaims([UInt8](#"{"sub":"a secret person"}"#.utf8))
    var dumped = ""
    dump(claims, to: &dumped)
    for text in ["\(claims)", String(reflecting: claims), dumped] {
      #expect(text.contains("sub") && !text.contains("secret"))
    }
    let key = try ClientKey(json: [UInt8](TokenVectors.all.get().client.utf8))
    dump(key, to: &dumped)
    #expect("\(key)" == "client key for RS256" && !dumped.contains("AQAB"))
  }
}
