import ArgumentParser
import CIECard

/// Whom to believe when a document's authenticity is judged.
struct TrustOptions: ParsableArguments {
  @Option(
    help: .text("option.trust", value: "path"))
  var trust: [String] = []

  @Option(
    help: .text("option.trust-only", value: "path"))
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
