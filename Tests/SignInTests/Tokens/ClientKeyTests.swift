import Primitives
import TestSupport
import Testing

@testable import SignIn

@Suite struct ClientKeyTests {
  private func vectors() throws -> TokenVectors { try TokenVectors.all.get() }

  @Test func `a token that was encrypted for the key is opened, and any other has its problem`()
    throws
  {
    let vectors = try vectors()
    let key = try ClientKey(json: [UInt8](vectors.client.utf8))
    for encrypted in vectors.encrypted {
      let found = problem {
        let inner = String(decoding: try key.decrypt(encrypted.token), as: UTF8.self)
        _ = try vectors.verifier().verify(inner, TokenVectors.expectations, now: vectors.now)
      }
      #expect(found == encrypted.problem ?? "none", "\(encrypted.name)")
    }
    let curve = try ClientKey(json: [UInt8](vectors.clientEc.utf8))
    #expect(
      problem { _ = try curve.decrypt(vectors.encrypted[0].token) } == "decryptionFailed")
  }

  @Test(arguments: ["RS256", "RS512", "PS256", "ES256"])
  func `another library finds the signature good`(_ algorithm: String) throws {
    let vectors = try vectors()
    let json = algorithm == "ES256" ? vectors.clientEc : vectors.client
    let named = json.replacing("{", with: #"{"alg":"\#(algorithm)","#, maxReplacements: 1)
    let key = try ClientKey(json: [UInt8](named.utf8))
    let token = try key.sign(
      .object([JSON.Member("iss", "clïent"), JSON.Member("exp", 1)]), type: "x+jwt")
    let script = """
      import json, sys
      from authlib.jose import JsonWebKey, JsonWebSignature
      keys = JsonWebKey.import_key_set(json.loads(sys.argv[1]))
      opened = JsonWebSignature().deserialize_compact(sys.argv[2], keys.keys[0])
      print(json.dumps([opened.header["alg"], opened.header["typ"], opened.header["kid"], json.loads(opened["payload"])]))
      """
    let result = try BuiltBinary(path: "/usr/bin/python3")
      .run(["-c", script, key.publicKeys.text, token])
    let name = algorithm == "ES256" ? "client-ec" : "client"
    #expect(
      result.output
        == #"["\#(algorithm)", "x+jwt", "\#(name)", {"iss": "cl\u00efent", "exp": 1}]"# + "\n",
      "\(result.errors)")
  }

  @Test func `the public half holds nothing of the private one`() throws {
    for json in [try vectors().client, try vectors().clientEc] {
      let text = try ClientKey(json: [UInt8](json.utf8)).publicKeys.text
      for name in ["d", "p", "q", "dp", "dq", "qi"] { #expect(!text.contains("\"\(name)\"")) }
      #expect(try !KeySet(json: [UInt8](text.utf8)).isEmpty)
    }
  }

  @Test func `what is no private key is refused`() throws {
    let vectors = try vectors()
    for json in [
      "", "[]", "{}", #"{"kty":"oct","k":"AAAA"}"#, vectors.keys,
      vectors.client.replacing(#""d":"#, with: #""D":"#),
      vectors.clientEc.replacing("P-256", with: "P-384"),
      vectors.client.replacing("{", with: #"{"alg":"ES256","#, maxReplacements: 1),
      vectors.client.replacing("{", with: #"{"alg":"HS256","#, maxReplacements: 1),
    ] {
      #expect(problem { _ = try ClientKey(json: [UInt8](json.utf8)) } == "clientKeyUnusable")
    }
  }

  @Test func `a key file that others may read is not used`() throws {
    let folder = try TemporaryDirectory()
    let bytes = [UInt8](try vectors().client.utf8)
    let path = try folder.write("key", bytes)
    #expect(try ClientKey(file: path).id == "client")
    for mode in [0o640, 0o604, 0o620, 0o644, 0o610] {
      try folder.write("key", bytes, permissions: mode)
      #expect(throws: ClientKeyProblem.exposed) { try ClientKey(file: path) }
    }
    let long = try folder.write("long", [UInt8](repeating: 0x20, count: 20_000))
    for path in [folder.path("none"), folder.path(""), long] {
      #expect(throws: ClientKeyProblem.unreadable) { try ClientKey(file: path) }
    }
    let shared = try folder.write("public", [UInt8](try vectors().keys.utf8))
    #expect(throws: ClientKeyProblem.unusable) { try ClientKey(file: shared) }
  }
}
