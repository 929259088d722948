import Foundation

/// The sandbox's identity app, by the control interface.
extension Sandbox {
  /// What a person does in the app that a link leads to.
  ///
  /// - Parameter outcome: `approve`, `dispatched`, `browser`, `cancel`, `upgrade`, `verify-error`, `unknown`, `pending`.
  public func answer(_ link: String, _ outcome: String = "approve") throws {
    try curl([
      "--data-urlencode", "request=\(link)", "--data", "outcome=\(outcome)",
      try address("waysControl") + "identity-app",
    ])
  }

  /// The faults that still wait for a request.
  public func armed() throws -> [String] {
    let state =
      try JSONSerialization.jsonObject(
        with: Data(curl([try address("control") + "fault"]))) as? [String: Any]
    guard let armed = state?["armed"] as? [[String: Any]] else {
      throw SandboxFailure("no faults")
    }
    return armed.compactMap { $0["fault"] as? String }
  }
}
