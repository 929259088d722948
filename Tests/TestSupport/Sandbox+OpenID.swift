import Foundation

/// The sandbox's OpenID provider, without a browser: a person's actions there, through the control interface.
extension Sandbox {
  /// The redirect target for a person with this outcome at an authorization URL.
  ///
  /// - Parameter outcome: `approve`, `deny`, `cancel`, `idle`.
  public func visit(_ authorization: String, _ outcome: String = "approve") throws -> String {
    let answer = try end(of: authorization, outcome)
    let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: String]
    guard let url = object?["returnUrl"] else { throw SandboxFailure("nothing came back") }
    return url
  }

  /// The form that a provider's page would post: its fields, and its receiver as `action`.
  public func visitPage(_ authorization: String) throws -> [String: String] {
    let page = String(decoding: try end(of: authorization, "approve"), as: UTF8.self)
    var fields: [String: String] = [:]
    for field in page.matches(of: /name="([a-z_]+)" value="([^"]*)"/) {
      fields[String(field.1)] = String(field.2)
    }
    guard let action = page.firstMatch(of: /action="([^"]*)"/) else {
      throw SandboxFailure("no form")
    }
    fields["action"] = String(action.1)
    return fields
  }

  private func end(of authorization: String, _ outcome: String) throws -> [UInt8] {
    try curl([
      "--data-urlencode", "url=\(authorization)", "--data", "outcome=\(outcome)",
      try address("ways") + "sandbox/oidc",
    ])
  }

  /// Decides on a device.
  ///
  /// - Parameter outcome: `approve`, `deny`, `expire`.
  public func decide(_ userCode: String, _ outcome: String = "approve") throws {
    try curl([
      "--data", "user_code=\(userCode)", "--data", "outcome=\(outcome)",
      try address("ways") + "sandbox/device",
    ])
  }

  /// Opens an address of this machine as a browser would, without reading the answer.
  public func open(_ url: String) throws { try curl([url]) }
}
