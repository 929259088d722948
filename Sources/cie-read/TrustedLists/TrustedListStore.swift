import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives
import SignIn

/// The folder of the trusted lists: the last good ones as they came, the index of their services, and the words of their
/// servers about their versions.
struct TrustedListStore: ~Copyable {
  let path: String
  private let folder: PrivateFolder

  /// The longest file, the index of all lists among them.
  private static let limit = 64 << 20
  private static let validators = "validators.json"
  private static let documents = "documents.json"

  /// Makes the folder where it is missing.
  ///
  /// - Throws: `usage` if the environment names no home folder.
  init() throws(Failure) {
    guard let path = TrustedListFolder.path else { throw .usage("no-trust-folder") }
    let folder = try Self.inFolder(path, try PrivateFolder(path, isMade: true))
    self.path = path
    self.folder = folder
  }

  /// Keeps other updates out until it is released.
  func lock() throws(Failure) -> PrivateFolder.Lock {
    try Self.inFolder(path, try folder.lock("update"))
  }

  /// The stored documents, by their keys.
  func documents() throws(Failure) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for key in try keys() { found[key] = try read(key + ".xml") }
    return found
  }

  private func keys() throws(Failure) -> [String] {
    let names = try read(Self.documents).flatMap { try? JSONValue($0) }
    guard case .array(let values)? = names else { return [] }
    return values.compactMap(\.text).filter { key in
      key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x2D }
    }
  }

  /// The lists of the index, as it is; none without one that can be believed.
  var lists: [ListState] { (try? TrustedListFolder.services())?.lists ?? [] }

  /// The versions of the stored documents in the words of their servers.
  func validators() throws(Failure) -> [String: TrustedListClient.Validator] {
    try read(Self.validators).map { .init(json: $0) } ?? [:]
  }

  /// Stores all of an update. What is there before stays whole, whenever this ends: each file is replaced at once, and
  /// the index, which alone `check` reads, last.
  func store(
    _ documents: [String: [UInt8]], index: [UInt8],
    _ validators: [String: TrustedListClient.Validator]
  ) throws(Failure) {
    let stored = try keys()
    for (key, document) in documents { try replace(key + ".xml", document) }
    try replace(
      Self.documents, [UInt8](JSON.array(documents.keys.sorted().map(JSON.string)).text.utf8))
    try replace(Self.validators, [UInt8](validators.json.text.utf8))
    try replace(TrustedListFolder.indexName, index)
    for key in stored where documents[key] == nil {
      try Self.inFolder(path, try folder.remove(key + ".xml"))
    }
  }

  private func replace(_ name: String, _ bytes: [UInt8]) throws(Failure) {
    try Self.inFolder(path, try folder.replace(name, with: bytes))
  }

  private func read(_ name: String) throws(Failure) -> [UInt8]? {
    try Self.inFolder(path, try folder.read(name, limit: Self.limit))
  }

  private static func inFolder<Result: ~Copyable>(
    _ path: String, _ value: @autoclosure () throws(PrivateFolder.Failure) -> Result
  ) throws(Failure) -> Result {
    try mapError(try value()) {
      Failure.found(Diagnosis($0, advice: Message("trusted-lists.folder.do", ["path": path])))
    }
  }
}

extension TrustedListOutcome.State: Described {
  func line(at time: UTCTime, _ language: Language) -> String {
    guard let facts else { return Message("list-state.missing", ["list": territory])(language) }
    let values: [String: Message.Argument] = [
      "list": territory, "number": String(facts.sequenceNumber), "date": facts.issued,
      "services": facts.services.count,
    ]
    let line = Message("list-state.\(word)", values)(language)
    return facts.isOld(at: time) ? line + ". " + Message("list-state.old")(language) : line
  }
}

extension TrustedListOutcome.Service: Described {}
