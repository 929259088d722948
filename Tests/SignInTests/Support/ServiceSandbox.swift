import Primitives
import Foundation
import Web
import TestSupport
import Testing

@testable import SignIn

/// Sign-ins between this library and the sandbox; serialized because its faults affect the next request.
@Suite(.serialized) struct SandboxSignInTests {
  private static let shared = Result { try Sandbox(["--slow-seconds", "4"]) }

  /// Returns the sandbox with no fault armed.
  static func fresh() throws -> Sandbox {
    let sandbox = try shared.get()
    try sandbox.clear()
    return sandbox
  }
}

extension Sandbox {
  /// Returns the sandbox's service, from its description.
  func service() throws -> SignInService { try SignInService(file: try address("service")) }

  /// Creates a sign-in at the sandbox.
  func signIn(
    by method: SignInMethod, timeout: Duration = .seconds(600)
  ) throws -> SignInSession {
    try service().signIn(by: method, try context(timeout: timeout))
  }

  /// Creates the context of a sign-in.
  func context(
    timeout: Duration = .seconds(600), patience: Duration = .seconds(1200)
  ) throws -> SignInContext {
    try SignInContext(
      service: "Sandbox", trust: try service().description.trust, timeout: timeout,
      patience: patience)
  }

  /// Returns user name and password of the user with a role.
  func user(_ role: String) throws -> (name: String, password: String) {
    let data = try Data(contentsOf: URL(fileURLWithPath: try address("users")))
    let users = try JSONSerialization.jsonObject(with: data) as? [String: [String: String]]
    guard let user = users?[role], let name = user["userName"], let password = user["password"]
    else { throw NoSuchUser(role: role) }
    return (name, password)
  }

  /// Returns the code of the newest message.
  func code() throws -> String {
    let folder = URL(fileURLWithPath: try address("mailbox"))
    let messages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
    guard let newest = messages.last else { throw NoSuchUser(role: "mailbox") }
    let text = try String(contentsOf: folder.appendingPathComponent(newest), encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Code: ") }
    return String((line ?? "").dropFirst("Code: ".count))
  }
}

/// Missing user in the sandbox.
struct NoSuchUser: Error {
  let role: String
}
