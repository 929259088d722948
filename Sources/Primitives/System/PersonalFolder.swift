/// A folder of a person for the files of programs, by the variable that names it (XDG Base Directory Specification 0.8).
package enum PersonalFolder: String, Sendable {
  case configuration = "XDG_CONFIG_HOME"
  case data = "XDG_DATA_HOME"
  case state = "XDG_STATE_HOME"
  /// For sockets and the like, until the person logs out.
  case runtime = "XDG_RUNTIME_DIR"

  /// Its place in the home folder, if the environment does not name it; `nil` for a folder that has none.
  private var usual: String? {
    switch self {
    case .configuration: "/.config"
    case .data: "/.local/share"
    case .state: "/.local/state"
    case .runtime: nil
    }
  }

  /// Its path.
  ///
  /// - Parameters:
  ///   - home: the home folder, if it may be another than `home(_:)`.
  ///   - variable: returns a variable of the environment.
  /// - Returns: `nil` if the environment names neither the folder nor a home folder in which it has a place.
  package func path(inHome home: String? = nil, _ variable: (String) -> String?) -> String? {
    if let named = Self.absolute(variable(rawValue)) { return named }
    guard let usual, let home = home ?? Self.home(variable) else { return nil }
    return home + usual
  }

  /// The home folder.
  package static func home(_ variable: (String) -> String?) -> String? {
    absolute(variable("HOME"))
  }

  /// The specification requires that a relative path is ignored.
  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
