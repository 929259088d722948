import Primitives
import Foundation
@testable import Web
import TestSupport

@testable import SignIn

/// Scripted service with SPID: correct responses, unless a test replaces one.
struct SPIDScript {
  typealias Answer = ScriptedServers.Answer

  static let base = "https://sp.test/spid/"
  static let destination = "https://idp.test/sso"

  var list = Answer.json(
    #"{"identityProviders":["#
      + #"{"entityId":"https://idp.test/entity","identifier":"posteid","name":"Poste ID"},"#
      + #"{"entityId":"https://two.test/entity","identifier":"timid","name":"TIM id"}],"#
      + #""extraInfo":[{"title":"Che cos'è SPID","url":"https://sp.test/spid"}]}"#)
  var request: Answer
  var user = Answer.json(
    #"{"codiceFiscale":"PRVGSM80A41H501Y","nome":"GELSOMINA","dataNascita":"1980-01-11T00:00:00.000Z"}"#
  )
  var further = #","hosts":["idp.test"],"returnUrl":"http://127.0.0.1/spid""#

  init() { request = .json(Self.answer(Self.document(to: Self.destination), Self.destination)) }

  var servers: ScriptedServers {
    ScriptedServers([
      "GET \(Self.base)list-providers": list, "GET \(Self.base)auth-spid": request,
      "GET \(Self.base)user": user,
    ])
  }

  func method() throws -> SPIDSignIn {
    var entry = try ServiceEntry(
      JSONValue([UInt8](#"{"base":"\#(Self.base)"\#(further)}"#.utf8)), folder: nil)
    let method = try SPIDSignIn(&entry)
    try entry.finish()
    return method
  }

  /// Redirect URI that the service received, with the state of the expected response.
  static func back(_ servers: ScriptedServers) throws -> String {
    let url = try RedirectURL(String((servers.requests.last ?? "").dropFirst(4)))
    return (url.value(of: "returnUrl") ?? "") + "?state=" + (url.value(of: "state") ?? "")
  }

  static func document(to destination: String, _ prolog: String = "") -> String {
    prolog
      + #"<p:AuthnRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" "#
      + #"Destination="\#(destination)"/>"#
  }

  /// Response of `auth-spid`, the request in base64.
  static func answer(_ document: String, _ destination: String) -> String {
    let text = String(decoding: Base64.encode([UInt8](document.utf8)), as: UTF8.self)
    return #"{"xmlAuthRequest":"\#(text)","destinationUrl":"\#(destination)"}"#
  }
}

/// Person's browser, played by curl.
enum Visitor {
  /// Fetches a response: the header, then the body.
  static func get(_ url: String) async throws -> String {
    // On a separate thread with a long timeout, because the responding task may wait for a thread of the pool.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let result = try BuiltBinary(path: "/usr/bin/curl").run(
              ["--silent", "--include", "--max-time", "500", url], timeLimit: .seconds(600))
            return String(decoding: result.standardOutput, as: UTF8.self)
          })
      }
    }
  }
}
