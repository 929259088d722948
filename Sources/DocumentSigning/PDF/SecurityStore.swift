internal import CIECard
internal import Primitives

/// The document security store: certificates and evidence of revocations (ISO 32000-2 §12.8.4.3).
struct SecurityStore {
  private(set) var certificates: [Certificate] = []
  private(set) var evidence = RevocationEvidence()

  init() {}

  /// The store of a document; without what cannot be read.
  init(_ file: PDFFile) {
    let store = file.root["DSS"]
    func streams(_ key: String) -> [[UInt8]] {
      (store[key].items ?? []).prefix(Self.most).compactMap { $0.streamData }
    }
    certificates = streams("Certs").compactMap { try? Certificate(der: $0) }
    evidence.lists = streams("CRLs")
    evidence.responses = streams("OCSPs")
  }

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
