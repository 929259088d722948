internal import CProcessControl

package enum Environment {
  /// The value of a variable; `nil` if it is not set, and in a program with more privileges than
  /// its user: set-user-ID, file capabilities (secure_getenv(3)).
  package static func value(of name: String) -> String? {
    String(system: cie_environment(name))
  }
}
