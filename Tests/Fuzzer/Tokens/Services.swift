@testable import Web
@testable import SignIn
internal import Primitives

/// Services: their descriptions, SPID's lists and accounts, and the stored data.
extension FuzzTarget {
  static let services = [spid, description, accountRecord, localCode]

  private static let spid = FuzzTarget("spid") {
    let list =
      #"{"identityProviders":[{"entityId":"https://idp.test/entity","identifier":"posteid","#
      + #""name":"Poste ID"},{"entityId":"https://two.test/entity","identifier":"timid","name":"TIM id"}],"#
      + #""extraInfo":[{"title":"Che cos'e SPID","url":"https://sp.test/spid"}]}"#
    let user =
      #"{"codiceFiscale":"PRVGSM80A41H501Y","nome":"GELSOMINA","#
      + #""dataNascita":"1980-01-11T00:00:00.000Z","spidCode":null}"#
    let document =
      #"<p:AuthnRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" "#
      + #"Destination="https://idp.test/sso"/>"#
    let request =
      #"{"xmlAuthRequest":"\#(String(decoding: Base64.encode([UInt8](document.utf8)), as: UTF8.self))","#
      + #""destinationUrl":"https://idp.test/sso"}"#
    return [list, user, request, #"{"error":"nr19"}"#].enumerated().map {
      [UInt8($0)] + [UInt8]($1.utf8)
    }
  } play: { probe in
    let (choices, rest) = probe.split(1)
    var entry = try ServiceEntry(
      JSONValue([UInt8](#"{"base":"https://sp.test/spid/","hosts":["idp.test"]}"#.utf8)),
      folder: nil)
    let method = try SPIDSignIn(&entry)
    let base = "https://sp.test/spid/"
    let servers = AnswerTable(
      [base + "list-providers": rest, base + "user": rest, base + "auth-spid": rest],
      type: "application/json", status: choices[0] % 4 == 3 ? 403 : 200)
    let wire = SPIDWire(
      method,
      try SignInContext(service: "Test", trust: nil, exchange: { servers }))
    switch choices[0] % 4 {
    case 0:
      let (providers, _) = try finished { try wire.providers() }
      probe.require((1...SPIDWire.providerLimit).contains(providers.count), "a bounded list")
      probe.require(Set(providers.map(\.identifier)).count == providers.count, "each name once")
    case 2:
      _ = try SPIDRequest(json: rest, to: method.destinations)
    default:
      let account = try finished { try wire.account("code") }
      let names = Set(account.claims.all.map(\.name))
      probe.require(
        !names.isDisjoint(with: ["codiceFiscale", "codiceIdentificativo"]), "somebody's account")
    }
  }

  private static let description = FuzzTarget("description") {
    let methods = [
      #"{"method":"card","start":"https://sp.test/login"}"#,
      #"{"method":"app","start":"https://sp.test/login","environment":"collaudo"}"#,
      #"{"method":"spid","base":"https://sp.test/spid/","hosts":["idp.test"],"level":2}"#,
      #"{"method":"email","authority":"https://tenant.test/","clientId":"c"}"#,
      #"{"method":"oidc","issuer":"https://op.test/","clientId":"c","clientKey":"k.jwk"}"#,
      #"{"method":"bank","base":"https://bank.test/","returnHosts":["bank.test"]}"#,
      #"{"method":"telepathy","strength":9}"#,
    ]
    // A description of an even length may name files.
    let texts = (methods + [methods.prefix(2).joined(separator: ",")]).flatMap { list in
      ["", " "].map { #"{"name":"Test",\#($0)"ca":"ca.pem","methods":[\#(list)]}"# }
        + ["", " "].map { #"{"name":"Test",\#($0)"methods":[\#(list)]}"# }
    }
    return texts.map { [UInt8]($0.utf8) }
  } play: { probe in
    let isLocal = probe.bytes.count & 1 == 0
    let service = try ServiceDescription(json: probe.bytes, folder: isLocal ? "/etc/" : nil)
    let names = service.ways.map(\.method)
    probe.require(Set(names).count == names.count && !names.isEmpty, "each way in once")
    probe.require(service.ways.count <= SignInMethod.allCases.count, "those that are known")
  }

  private static let accountRecord = FuzzTarget("account-record") {
    let account =
      #"{"service":"Test","method":"oidc","begun":1767225600,"claims":[{"name":"sub","values":["a","b"]}],"#
      + #""tokens":{"access":"x","refresh":"y","identity":null,"expires":1767229000,"scope":null},"#
      + #""description":"{}","folder":null}"#
    return Seeds.lines(
      #"{"version":1,"current":\#(account),"pending":[]}"#,
      #"{"version":1,"current":null,"pending":[\#(account),\#(account)]}"#)
  } play: { probe in
    guard let record = AccountKeeper.Record(probe.bytes) else { throw Unfit() }
    let text = record.json.text
    let again = AccountKeeper.Record([UInt8](text.utf8))
    probe.require(again?.json.text == text, "a record that is written is read")
  }

  private static let localCode = FuzzTarget("local-code") {
    [
      [UInt8](
        (#"{"version":1,"exhausted":true}"#).utf8),
      [UInt8](
        (#"{"version":1,"length":6,"scrypt":{"N":32768,"r":8,"p":1},"salt":"\#(String(repeating: "0A", count: 16))","#
          + #""hash":"\#(String(repeating: "0B", count: 32))","triesLeft":{"enter":3,"change":2},"#
          + #""lastUse":{"start":"x","seconds":5}}"#).utf8),
    ]
  } play: { probe in
    guard let record = LocalCodeRecord(probe.bytes) else { throw Unfit() }
    if case .code(let stored) = record {
      for flow in LocalLock.Flow.allCases {
        probe.require(stored.triesLeft(flow) <= StoredCode.tries, "no more tries than there are")
      }
    }
  }
}
