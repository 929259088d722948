import CIECard
import Glibc

/// The folder of imported anchors, which every later run believes.
enum TrustFolder {
  /// `$XDG_DATA_HOME/cie-read/trust`, else `~/.local/share/cie-read/trust` (XDG Base Directory Specification);
  /// `nil` when the environment names neither.
  static var path: String? {
    // A path that is not absolute is to be ignored, says the specification.
    let data = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = variable("HOME").flatMap { $0.isEmpty ? nil : $0 + "/.local/share" }
    return (data ?? home).map { $0 + "/cie-read/trust" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// What was imported; `nil` when nothing was.
  static func store(_ path: String, _ session: Session) throws(Failure) -> TrustStore? {
    do throws(TrustStore.LoadingError) {
      return try TrustStore(path: path, at: session.time)
    } catch {
      switch error {
      case .notFound(path), .empty: return nil
      case .notFound, .unreadable, .notAFile, .tooLarge, .tooManyFiles, .notACertificate,
        .masterList:
        throw .trustStore(error)
      }
    }
  }

  /// Makes the folder and those above it, where they are missing.
  static func make(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o777) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
        throw .file(.unwritable(path: made, errno: errno))
      }
    }
  }
}
