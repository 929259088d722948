import ArgumentParser
import CIECard
import Glibc

/// Whom to believe when a document's authenticity is judged.
struct TrustOptions: ParsableArguments {
  @Option(help: .text("option.trust", value: "path"), completion: .file()) var trust: [String] = []
  @Option(help: .text("option.trust-only", value: "path"), completion: .file())
  var trustOnly: [String] = []

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
  /// Where it is; `nil` when the environment names no folder of the user.
  static var path: String? {
    TrustStore.importFolder { getenv($0).map { String(cString: $0) } }
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
}
