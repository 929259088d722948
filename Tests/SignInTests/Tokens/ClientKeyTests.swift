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
      problem { _ = try curve.decrypt(vectors.encrypted[0].token) } == "clientKeyOnlySigns")
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

  /// The RSA key with these members, under another name.
  private func rsa(_ members: String, named name: String) throws -> String {
    try vectors().client.replacing(#""kid": "client""#, with: #""kid":"\#(name)""#)
      .replacing("{", with: "{" + members, maxReplacements: 1)
  }

  @Test(arguments: [
    #""alg":"RSA-OAEP","#, #""use":"enc","#, #""key_ops":["decrypt","unwrapKey"],"#,
    #""alg":"RSA-OAEP","use":"enc","#,
  ])
  func `one key of a set signs, and another decrypts`(_ members: String) throws {
    let vectors = try vectors()
    let oaep = vectors.encrypted.filter { $0.problem == nil }
    #expect(!oaep.isEmpty)
    for other in [vectors.clientEc, try rsa(#""use":"sig","#, named: "signer")] {
      for keys in [
        [try rsa(members, named: "client"), other], [other, try rsa(members, named: "client")],
      ] {
        let key = try ClientKey(json: [UInt8](#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
        #expect(key.algorithm != .rs384 && key.id != "client")
        let allowed = oaep.filter { encrypted in
          !members.contains("RSA-OAEP")
            || problem { _ = try key.decrypt(encrypted.token) } == "none"
        }
        #expect(!allowed.isEmpty)
        for encrypted in allowed {
          let inner = String(decoding: try key.decrypt(encrypted.token), as: UTF8.self)
          _ = try vectors.verifier().verify(inner, TokenVectors.expectations, now: vectors.now)
        }
        let shared = key.publicKeys.text
        #expect(shared.contains(#""use":"sig""#) && shared.contains(#""use":"enc""#))
        #expect(!shared.contains(#""d":"#))
      }
    }
  }

  @Test(arguments: [#""use":"sig","#, #""key_ops":["sign"],"#])
  func `a token that was encrypted to the key for signatures is refused`(_ members: String) throws {
    let vectors = try vectors()
    let named = vectors.encrypted.filter { $0.problem == nil && $0.name != "no name of a key" }
    #expect(!named.isEmpty)
    let (signer, other) = (
      try rsa(members, named: "client"), try rsa(#""use":"enc","#, named: "other")
    )
    for (json, expected) in [
      (signer, "clientKeyOnlySigns"), (#"{"keys":[\#(signer)]}"#, "clientKeyOnlySigns"),
      (#"{"keys":[\#(signer),\#(other)]}"#, "keyUnknown"),
    ] {
      let key = try ClientKey(json: [UInt8](json.utf8))
      for encrypted in named {
        #expect(problem { _ = try key.decrypt(encrypted.token) } == expected)
      }
    }
  }

  @Test func `each published key has its use and its algorithm, and one for both uses has none`()
    throws
  {
    func published(_ json: String) throws -> [[String]] {
      let keys = try ClientKey(json: [UInt8](json.utf8)).publicKeys
      guard case .array(let items) = try TokenClaims([UInt8](keys.text.utf8))["keys"] else {
        return []
      }
      return items.map { key in ["kid", "use", "alg"].map { key[$0]?.text ?? "-" } }
    }
    let vectors = try vectors()
    let decrypting = try rsa(#""use":"enc","alg":"RSA-OAEP-256","#, named: "d")
    let (any, signing) = (
      try rsa(#""use":"enc","#, named: "e"), try rsa(#""use":"sig","alg":"PS256","#, named: "s")
    )
    #expect(
      try published(#"{"keys":[\#(any),\#(signing),\#(decrypting)]}"#)
        == [["s", "sig", "PS256"], ["e", "enc", "-"], ["d", "enc", "RSA-OAEP-256"]])
    #expect(try published(signing) == [["s", "sig", "PS256"]])
    #expect(try published(vectors.clientEc) == [["client-ec", "sig", "ES256"]])
    #expect(try published(vectors.client) == [["client", "-", "-"]])
  }

  /// RFC 7518 §6.3.2 demands only `d`, and all the others if there is one of them; spid-cie-oidc writes `p` and `q`.
  @Test func `an RSA key needs no more than its private exponent`() throws {
    let vectors = try vectors()
    for missing in [["p", "q", "dp", "dq", "qi"], ["dp", "dq", "qi"], ["qi"]] {
      let json = missing.reduce(vectors.client) {
        $0.replacing(#""\#($1)":"#, with: #""-\#($1)":"#)
      }
      let key = try ClientKey(json: [UInt8](json.utf8))
      #expect(
        try key.sign(.object([])) == ClientKey(json: [UInt8](vectors.client.utf8)).sign(.object([]))
      )
      for encrypted in vectors.encrypted where encrypted.problem == nil {
        #expect(try !key.decrypt(encrypted.token).isEmpty)
      }
    }
  }

  @Test func `a key that only decrypts signs nothing`() throws {
    for members in [#""alg":"RSA-OAEP","#, #""alg":"RSA-OAEP-256","#, #""use":"enc","#] {
      let alone = try rsa(members, named: "client")
      for json in [alone, #"{"keys":[\#(alone)]}"#, #"{"keys":[]}"#, #"{"keys":[1]}"#] {
        #expect(problem { _ = try ClientKey(json: [UInt8](json.utf8)) } == "clientKeyUnusable")
      }
    }
    let wrong = try vectors().clientEc.replacing("{", with: #"{"use":"enc","#, maxReplacements: 1)
    let set = #"{"keys":[\#(try vectors().client),\#(wrong)]}"#
    #expect(problem { _ = try ClientKey(json: [UInt8](set.utf8)) } == "clientKeyUnusable")
  }

  @Test func `of several keys for decryption the token names one`() throws {
    let vectors = try vectors()
    let keys = [
      vectors.clientEc, try rsa(#""use":"enc","#, named: "old"),
      try rsa(#""use":"enc","#, named: "client"),
    ]
    let key = try ClientKey(json: [UInt8](#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
    let stranger = try ClientKey(
      json: [UInt8](#"{"keys":[\#((keys.prefix(2) + keys[1...1]).joined(separator: ","))]}"#.utf8))
    for encrypted in vectors.encrypted where encrypted.problem == nil {
      let isNamed = encrypted.name != "no name of a key"
      #expect(problem { _ = try key.decrypt(encrypted.token) } == (isNamed ? "none" : "keyUnknown"))
      #expect(problem { _ = try stranger.decrypt(encrypted.token) } == "keyUnknown")
    }
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
      #expect(cause { try ClientKey(file: path) } == .clientKey(.exposed, path: path))
    }
    let long = try folder.write("long", [UInt8](repeating: 0x20, count: 20_000))
    for path in [folder.path("none"), folder.path(""), long] {
      #expect(cause { try ClientKey(file: path) } == .clientKey(.unreadable, path: path))
    }
    let shared = try folder.write("public", [UInt8](try vectors().keys.utf8))
    #expect(cause { try ClientKey(file: shared) } == .clientKey(.unusable, path: shared))
  }
}
