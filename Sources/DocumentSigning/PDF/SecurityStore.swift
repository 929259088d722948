internal import CIECard
internal import Primitives

/// The document security store: certificates and evidence of revocations (ISO 32000-2 §12.8.4.3).
struct SecurityStore {
  private(set) var certificates: [Certificate] = []
  private(set) var evidence = RevocationEvidence()

  /// False if a part of the document's store was changed, cannot be read, or is about nothing that is known.
  var isWhole = true

  init() {}

  /// The store of a document, with the entries about single signatures (VRI).
  init(_ file: PDFFile) {
    let store = file.root["DSS"]
    guard !store.isNull else { return }
    let entries = store["VRI"].keys.prefix(Self.most).map { store["VRI"][$0] }
    let parts = [store] + entries.filter { $0.isDictionary }
    var isWhole = store.isDictionary && Set(store.keys).isSubset(of: Self.keys)
    func streams(_ key: String) -> [[UInt8]] {
      let lists = parts.flatMap { [$0[key], $0[String(key.dropLast())]] }.filter { !$0.isNull }
      var seen: Set<PDFReference?> = []
      let items = lists.flatMap { $0.items ?? [$0] }.filter { seen.insert($0.asReference).inserted }
      let streams = items.prefix(Self.most).map { $0.streamData }
      isWhole = isWhole && items.count <= Self.most && !streams.contains(nil)
      return streams.compactMap { $0 }
    }
    let encoded = streams("Certs")
    certificates = encoded.compactMap { try? Certificate(der: $0) }
    evidence.lists = streams("CRLs")
    evidence.responses = streams("OCSPs")
    let isEmpty = encoded.isEmpty && evidence.isEmpty
    self.isWhole = isWhole && certificates.count == encoded.count && !isEmpty
  }

  private static let keys: Set<String> = ["Type", "Certs", "CRLs", "OCSPs", "VRI"]

  /// As many streams are read of a file that strangers wrote.
  private static let most = 256

  mutating func add(_ certificates: [Certificate], _ evidence: RevocationEvidence) {
    self.certificates += certificates.filter { !self.certificates.contains($0) }
    self.evidence.add(evidence)
  }

  /// The document with this store and what is new in another one, in an incremental update.
  ///
  /// - Throws: `PDFError`.
  func updated(with other: SecurityStore, in file: PDFFile) throws(PDFError) -> [UInt8] {
    let root = file.root
    guard root.isIndirect else { throw .refused(.structure("Root")) }
    var update = try IncrementalUpdate(file)
    let store = root["DSS"]
    let new: [(key: String, streams: [[UInt8]])] = [
      (
        "Certs",
        other.certificates.filter { !certificates.contains($0) }.map { $0.der }
      ),
      ("CRLs", other.evidence.lists.filter { !evidence.lists.contains($0) }),
      ("OCSPs", other.evidence.responses.filter { !evidence.responses.contains($0) }),
    ]
    guard new.contains(where: { !$0.streams.isEmpty }) else { return file.bytes }
    var members: [(key: String, value: [UInt8])] = [("Type", [UInt8]("/DSS".utf8))]
    for (key, streams) in new where !streams.isEmpty {
      var references: [String] = []
      for stream in streams {
        let number = update.newNumber()
        try update.append(number, [], stream: stream)
        references.append("\(number) 0 R")
      }
      let list = references.joined(separator: " ")
      members.append((key, PDFSyntax.array(store[key].items ?? [], adding: list)))
    }
    let number = update.newNumber()
    try update.append(
      number, PDFSyntax.dictionary(store.isDictionary ? store : nil, replacing: members))
    try update.append(
      root.number, generation: root.generation,
      PDFSyntax.dictionary(root, replacing: [("DSS", [UInt8]("\(number) 0 R".utf8))]))
    try file.check()
    update.finish(identifier: try file.newIdentifier())
    return update.bytes
  }
}
