import Arguments
import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

/// The trust anchors for judging a document's authenticity.
struct TrustChoice: Readable {
  static let title: String? = "trust"

  let trust: [String]
  let trustOnly: [String]
  /// Anchors that were read before, instead of all others.
  private var read: TrustStore??

  init(from inputs: inout Inputs) throws(Failure) {
    trust = try inputs.texts(
      "trust", help: "option.trust", value: "path", completion: .file())
    trustOnly = try inputs.texts(
      "trust-only", help: "option.trust-only", value: "path", completion: .file())
  }

  init(_ store: TrustStore?) {
    (trust, trustOnly, read) = ([], [], .some(store))
  }

  /// All anchors; with those of a software card, unless `--trust-only` leaves them out.
  func store(
    for card: Conversation? = nil, in context: RunContext
  ) throws(Failure) -> TrustStore? {
    if let read { return read }
    let store = TrustSource.merged(try sources(in: context))
    guard case .substitute(let card) = card?.source, let own = card.authority, trustOnly.isEmpty
    else { return store }
    return store?.merged(with: own) ?? own
  }

  /// The sources of the anchors: built-in, imported, given on the command line.
  func sources(in context: RunContext) throws(Failure) -> [TrustSource] {
    var sources: [TrustSource] = []
    if trustOnly.isEmpty {
      sources.append(TrustSource(path: nil, store: .italian))
      if let folder = TrustFolder.path, let store = TrustFolder.store(folder, context) {
        sources.append(TrustSource(path: folder, store: store))
      }
    }
    return sources + (try TrustSource.read(trustOnly + trust, in: context))
  }

  /// The check by these anchors; `--trust-only` leaves out that of a software card, too.
  func vouching(asking: Bool, in context: RunContext) throws(Failure) -> HolderAccess.Vouching {
    .required(
      try store(in: context), believesSoftwareCards: trustOnly.isEmpty, asksPerson: asking)
  }
}

struct TrustSource: Sendable {
  /// A file or folder; nil for the program.
  let path: String?
  let store: TrustStore

  static func read(_ paths: [String], in context: RunContext) throws(Failure) -> [TrustSource] {
    try paths.map { (path) throws(Failure) in
      let store = try mapError(try TrustStore(path: path, at: context.time)) {
        context.failure(for: $0)
      }
      return TrustSource(path: path, store: store)
    }
  }

  /// The anchors of all sources; `nil` without any.
  static func merged(_ sources: [TrustSource]) -> TrustStore? {
    let stores = sources.map { $0.store }
    return stores.dropFirst().reduce(stores.first) { $0?.merged(with: $1) }
  }
}

/// The folder of imported anchors, which every later run believes.
enum TrustFolder {
  /// Its path; `nil` when the environment names no home folder.
  static var path: String? {
    TrustStore.importFolder { Environment.value(of: $0) }
  }

  /// The imported anchors; `nil` without any. They only add trust, so a folder that cannot be read or believed is a
  /// warning.
  static func store(_ path: String, _ context: RunContext) -> TrustStore? {
    do throws(TrustStore.LoadingError) {
      return try TrustStore(path: path, at: context.time)
    } catch {
      switch error {
      case .notFound(path), .empty: break
      case .notFound, .unreadable, .notAFile, .writableByOthers, .tooLarge, .tooManyFiles,
        .notACertificate, .masterList:
        var problem = Diagnosis(context.failure(for: error))
        problem.advice = Message("trust-folder.do", ["path": path])
        context.warn(problem)
      }
      return nil
    }
  }
}

/// The folder of the trusted lists, whose services every later judgement of signed files believes.
enum TrustedListFolder {
  /// Its path; `nil` when the environment names no home folder.
  static var path: String? {
    TrustStore.dataFolder { Environment.value(of: $0) }.map { $0 + "/trusted-lists" }
  }

  /// The name of the index in it.
  static let indexName = "index"

  /// The services of the lists, by the index; `nil` without one.
  ///
  /// - Throws: `found` if it cannot be read or believed.
  static func services() throws(Failure) -> TrustedServices? {
    guard let path = path.map({ $0 + "/" + indexName }) else { return nil }
    do throws(ServiceIndexError) { return try TrustedServices(indexAt: path) } catch {
      if error == .absent { return nil }
      throw .found(Diagnosis(error, path: path))
    }
  }

  /// The lists of an index that is whole; none without one.
  static func checkedLists() throws(Failure) -> [ListState] {
    guard let services = try services(), !services.lists.isEmpty else { return [] }
    _ = try mapError(try services.servicesByTerritory()) { (error: ServiceIndexError) in
      Failure.found(Diagnosis(error, path: (path ?? "") + "/" + indexName))
    }
    return services.lists
  }

  /// The same; they only add trust, so an index that cannot be read or believed is a warning.
  static func services(in context: RunContext) -> TrustedServices? {
    do throws(Failure) { return try services() } catch {
      warn(of: Diagnosis(error), context)
      return nil
    }
  }

  /// Says that the lists are left out, and how the index is made anew.
  static func warn(of problem: Diagnosis, _ context: RunContext) {
    var problem = problem
    problem.advice = Message("trusted-lists-damaged.do")
    context.warn(problem)
  }
}
