internal import CIECard
@testable import SignIn
internal import Primitives
internal import TestSupport

/// Tokens, keys and providers' metadata: unchanged, and signed by the fuzzer.
extension FuzzTarget {
  static let tokens = [token, signedToken, encryptedToken, keySet, json]

  /// The time of the judgement.
  private static let now: UTCTime = 1_767_225_600

  private static let published = Result {
    (
      keys: try KeySet(json: [UInt8](try Seeds.texts("tokens", ["keys"])[0].utf8)),
      tokens: Set(try Seeds.texts("tokens", ["token"]))
    )
  }

  private static let token = FuzzTarget("jwt") {
    try Seeds.texts("tokens", ["signed", "broken"]).filter { $0.count > 60 }.map {
      [UInt8]($0.utf8)
    }
  } play: { probe in
    let (keys, tokens) = try published.get()
    _ = try CompactToken(probe.text, parts: 3)
    let verifier = TokenVerifier(keys: keys)
    guard let claims = try? verifier.claims(signedIn: probe.text, types: ["jwt"]) else {
      throw Deep()
    }
    probe.require(tokens.contains(probe.text), "nobody has signed this: \(claims)")
  }

  private static let signedToken = FuzzTarget("jwt-claims") {
    let more = ["", #","nonce":"n","acr":"https://www.spid.gov.it/SpidL2","auth_time":1767225000"#]
    return more.map {
      [UInt8](
        (#"{"iss":"https://op.example/","aud":["me"],"azp":"me","sub":"person","iat":1767225590,"#
          + #""exp":1767229000,"family_name":"PROVA","address":{"a":[1,null,true]}\#($0)}"#).utf8)
    }
  } play: { probe in
    let key = SigningKey.op
    let token = try key.sign(probe.bytes)
    let verifier = TokenVerifier(keys: try key.keySet())
    var expected = TokenExpectations(issuer: "https://op.example/", audience: "me")
    if probe.bytes.count & 1 == 0 { expected.maximumAge = 600 }
    let claims = try verifier.verify(token, expected, now: now)
    probe.require((try? claims.requiredText("iss")) == "https://op.example/", "the issuer's")
    probe.require((try? claims.texts("aud"))??.contains("me") == true, "for us")
    probe.require(
      (try? claims.requiredMoment("exp")).map { $0.seconds + 60 > now.seconds } == true, "in time")
    _ = AccountClaims(claims)
  }

  private static let encryptedToken = FuzzTarget("jwe") {
    try Seeds.texts("tokens", ["encrypted"]).filter { $0.count > 60 }.map { [UInt8]($0.utf8) }
  } play: { probe in
    let key = try ClientKey(json: [UInt8](try Seeds.texts("tokens", ["client"])[0].utf8))
    _ = try CompactToken(probe.text, parts: 5)
    guard let clear = try? key.decrypt(probe.text) else { throw Deep() }
    probe.require(clear.count < probe.bytes.count, "no more than came")
  }

  private static let keySet = FuzzTarget("jwks") {
    try Seeds.texts("tokens", ["keys", "weak"]).map { [UInt8]($0.utf8) }
      + [Repository.read(Repository.path("Tests/Fuzzer/Keys/anchor.jwks"))]
  } play: { probe in
    let keys = try KeySet(json: probe.bytes)
    guard !keys.isEmpty else { throw Unfit() }
    for algorithm in TokenAlgorithm.allCases {
      guard let key = try? keys.key(nil, for: algorithm) else { continue }
      // The part that goes to the library.
      _ = try? JOSELibrary.verify("e30.e30.AAAA", key.text)
    }
  }

  private static let json = FuzzTarget("json") {
    Seeds.lines(
      #"{"a":[1,-2.5e+3,true,false,null,"x\u00e9\ud83d\ude00\n"],"b":{"c":{}}}"#, "[[[[]]]]",
      #""\"\\\/""#)
  } play: { probe in
    let value = try JSONValue(probe.bytes)
    _ = (value.repeatedMember, value["a"]?.text)
    if let text = value.text {
      let again = try? JSONValue([UInt8](JSON.string(text).text.utf8))
      probe.require(again?.text == text, "a text that is written is read")
    }
  }
}

/// Throw-away keys, made by Authlib, with which the fuzzer signs any text.
struct SigningKey: Sendable {
  let id: String
  private let x: String
  private let y: String
  private let d: String

  static let anchor = SigningKey(
    id: "anchor", x: "PK7Ge2HJDt2WJgID8d1lsyvum3M8PiIL4gSlT3KTkME",
    y: "33MCbJZ9pTEWEkU5IY-85gJoq-md72wMCtMjb5XwrFo",
    d: "gZ11Krk3XFKgn9jRYKysPb_4ntPiWnulo39mMJnLgjU")
  static let middle = SigningKey(
    id: "middle", x: "QI9blTu4fLzjMFKkHzXNOCymE5p_uu4i7tKAS_Ljsvc",
    y: "L7Hi0CVtLHYooZeOeYkbvOL1IsobEVoOstI2RPN1Tww",
    d: "5lGEq9FHVtr-FWSmIB-DzYOb0jxAmvRALORYnVqaPoM")
  static let op = SigningKey(
    id: "op", x: "laaZIoKbIr3DxOG_vC3d7XZCW7udNgVV3jEmIsN-51k",
    y: "vgmmR5eKdcXBwycSQ4JVbN_xzpaZOCpF7-qLy1eM6ks",
    d: "9-SrW53Xwvha4Zu2QIbieUEuaTMawHQjiSaoZG4H370")

  private var shown: String { #""kty":"EC","crv":"P-256","kid":"\#(id)","x":"\#(x)","y":"\#(y)""# }

  var jwks: String { #"{"keys":[{\#(shown)}]}"# }

  func keySet() throws -> KeySet { try KeySet(json: [UInt8](jwks.utf8)) }

  /// A token with these bytes for its payload, which need not be claims.
  func sign(_ payload: [UInt8], type: String = "JWT") throws -> String {
    let key = try JOSEKey(#"{\#(shown),"d":"\#(d)"}"#)
    return try JOSELibrary.sign(payload, [("alg", "ES256"), ("typ", type), ("kid", id)], key)
  }
}
