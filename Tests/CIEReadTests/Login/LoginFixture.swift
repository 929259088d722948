import TestSupport
import VirtualCIE

/// The one sandbox that these tests share; they run one after the other.
enum LoginSandbox {
  private static let shared = Result { try Sandbox(["--slow-seconds", "20"]) }

  /// The sandbox, without a fault.
  static func fresh() throws -> Sandbox {
    let sandbox = try shared.get()
    try sandbox.clear()
    return sandbox
  }
}

extension Sandbox {
  /// The arguments of a headless login with a software card.
  func headless(_ further: String..., query: String = "") throws -> [String] {
    ["login", "--sp-url", try address("spLogin") + query] + (try card()) + further
  }

  /// The arguments of an assisted one.
  func assisted(_ link: String, _ further: String...) throws -> [String] {
    ["login", link] + (try card()) + further
  }

  private func card() throws -> [String] { ["--environment", try environment(), "--virtual"] }
}

extension Persona {
  /// The secrets that no output may contain.
  var secrets: [String] { [pin, puk, surname, givenName, fiscalCode, documentNumber] }
}
