import ArgumentParser
import CIECard
import Glibc

/// Whom to believe when a document's authenticity is judged.
struct TrustOptions: ParsableArguments {
  @Option(help: .text("option.trust", value: "path")) var trust: [String] = []
  @Option(help: .text("option.trust-only", value: "path")) var trustOnly: [String] = []

  /// All that is believed.
  func store(in session: Session) throws(Failure) -> TrustStore? {
    let stores = try sources(in: session).map { $0.store }
    return stores.dropFirst().reduce(stores.first) { $0?.merged(with: $1) }
  }

  /// Where it comes from: the built-in anchors, what was imported, what is given.
  func sources(in session: Session) throws(Failure) -> [TrustSource] {
    var sources: [TrustSource] = []
    if trustOnly.isEmpty {
      sources.append(TrustSource(origin: .builtIn, store: .italian))
      if let folder = TrustFolder.path, let store = try TrustFolder.store(folder, session) {
        sources.append(TrustSource(origin: .path(folder), store: store))
      }
    }
    for path in trustOnly + trust {
      do throws(TrustStore.LoadingError) {
        let store = try TrustStore(path: path, at: session.time)
        sources.append(TrustSource(origin: .path(path), store: store))
      } catch { throw .trustStore(error) }
    }
    return sources
  }
}

/// Some of the anchors, and where they come from.
struct TrustSource: Sendable {
  enum Origin: Sendable {
    /// The program.
    case builtIn
    /// A file or folder.
    case path(String)
  }

  let origin: Origin
  let store: TrustStore
}

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
