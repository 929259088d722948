internal import CIECard
internal import Primitives

/// The document security store: certificates and evidence of revocations (ISO 32000-2 §12.8.4.3).
struct SecurityStore {
  private(set) var certificates: [Certificate] = []
  private(set) var evidence = RevocationEvidence()

  /// False if a part of the document's store was changed, cannot be read, or is about nothing that is known.
  var isWhole = true

  init(_ certificates: [Certificate] = [], _ evidence: RevocationEvidence = .init()) {
    (self.certificates, self.evidence) = (certificates, evidence)
  }

  /// The store of a document, with the entries about single signatures (VRI).
  init(_ file: PDFFile) {
    let store = file.root["DSS"]
    guard !store.isNull else { return }
    let entries = store["VRI"].keys.prefix(Self.most).map { store["VRI"][$0] }
    let parts = [store] + entries.filter { $0.isDictionary }
    var isWhole = store.isDictionary && Set(store.keys).isSubset(of: Self.keys)
    var room = Self.largest
    func streams(_ key: String) -> [[UInt8]] {
      let lists = parts.flatMap { [$0[key], $0[String(key.dropLast())]] }.filter { !$0.isNull }
      var seen: Set<PDFReference?> = []
      let items = lists.flatMap { $0.items ?? [$0] }.filter { seen.insert($0.asReference).inserted }
      let streams = items.prefix(Self.most).map { item in
        let data = item.data(atMost: room)
        room -= data?.count ?? 0
        return data
      }
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

  /// The most streams that are read of a file that strangers wrote, and the most bytes of all of them: CRLs of large issuers
  /// have megabytes.
  private static let most = 256
  private static let largest = 64 << 20

  mutating func add(_ other: SecurityStore) {
    certificates += other.certificates.filter { !certificates.contains($0) }
    evidence.add(other.evidence)
  }

  /// The document with this store and what is new in another one, in an incremental update.
  func updated(with other: SecurityStore, in file: PDFFile) throws(DocumentError) -> [UInt8] {
    guard file.root.isIndirect else { throw .refused(.structure("Root")) }
    let store = file.root["DSS"]
    let new = [
      ("Certs", other.certificates.filter { !certificates.contains($0) }.map { $0.der }),
      ("CRLs", other.evidence.lists.filter { !evidence.lists.contains($0) }),
      ("OCSPs", other.evidence.responses.filter { !evidence.responses.contains($0) }),
    ].filter { !$0.1.isEmpty }
    guard !new.isEmpty else { return file.bytes }
    var update = try IncrementalUpdate(file)
    var members: PDFSyntax.Members = [("Type", "/DSS")]
    for (key, streams) in new {
      let references = try streams.map { (stream) throws(DocumentError) in
        "\(try update.add([], stream: stream)) 0 R"
      }
      members.append((key, .array(store[key], adding: references.joined(separator: " "))))
    }
    let number = try update.add(.dictionary(members, replacing: store)).number
    try update.replace(file.root, members: [("DSS", "\(number) 0 R")])
    return try update.finished()
  }
}
