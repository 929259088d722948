import CIECard
import RedirectFlow
import Synchronization
import System
import TestSupport
import Testing

@testable import SignIn

/// The original identity app's server as a script: right answers everywhere, but where a test puts another.
struct ScopeRequestScript {
  typealias Answer = ScriptedServers.Answer

  static let base = "https://localhost:8443/sip/"
  static let uuid = "01234567-89ab-cdef-0123-456789abcdef"
  static let verify = "POST scopeRequest/appToApp/verifyPartner"
  static let poll = "GET scopeRequest/" + uuid
  static let fetch = "POST scopeRequest/appToApp/connectXCtr"

  /// By method and path below the base.
  var answers: [String: [Answer]]

  init() throws {
    answers = [
      Self.verify: [Self.begun()], Self.poll: [Self.answered("data-received")],
      Self.fetch: [.json(try SealedData.all.get().cases[0].answer)],
    ]
  }

  func answering(_ request: String, _ answers: Answer...) -> ScopeRequestScript {
    var script = self
    script.answers[request] = answers
    return script
  }

  var servers: ScriptedServers {
    ScriptedServers(
      Dictionary(
        uniqueKeysWithValues: answers.map { key, value in
          (key.replacing(" ", with: " " + Self.base, maxReplacements: 1), value)
        }))
  }

  static func begun(
    uuid: String = uuid, timeout: String = "120", request: String = "scope+/=&request",
    isTest: Bool = true
  ) -> Answer {
    .json(
      #"{"scopeRequestString":"\#(request)","uuid":"\#(uuid)","isTest":\#(isTest),"status":200,"#
        + #""timeout":\#(timeout)}"#)
  }

  static let pending = Answer.json(#"{"statusCode":202,"message":"wait"}"#, status: 202)

  static func answered(_ action: String, _ type: String = "code") -> Answer {
    .json(
      #"{"statusCode":200,"message":"","authResponse":"h.p.s","action":"\#(action)","#
        + #""type":"\#(type)"}"#)
  }

  /// The method of an entry with its secret in a folder.
  static func method(
    _ folder: borrowing TemporaryDirectory, _ further: String = "",
    secret: String? = nil, permissions: Int = 0o600
  ) throws -> IdentityAppSignIn {
    try folder.write(
      "secret", (try secret ?? SealedData.all.get().secret).utf8, permissions: permissions)
    return try method(
      entry:
        #"{"protocol":"scope-request","insecure":true,"base":"\#(base)","appId":"app","#
        + #""mobileId":"mobile","secretFile":"secret"\#(further)}"#, folder: folder.path("") + "/")
  }

  static func method(entry text: String, folder: String?) throws -> IdentityAppSignIn {
    var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: folder)
    let method = try IdentityAppSignIn(&entry)
    try entry.finish()
    return method
  }
}

/// The file `identity-app-data.json`.
struct SealedData: Decodable {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    /// The error that must come of it; 0 for none.
    let number: Int
    let answer: String
    var testDescription: String { name }
  }

  let secret: String
  let cases: [Case]

  static let all = Result { try Vectors.decode("identity-app-data", as: SealedData.self) }
}

/// What a program heard.
final class HeardStatuses: Sendable {
  private let list = Mutex<[IdentityAppStatus]>([])
  var all: [IdentityAppStatus] { list.withLock { $0 } }
  var hooks: IdentityAppHooks {
    IdentityAppHooks(statusChanged: { status in self.list.withLock { $0.append(status) } })
  }
}
