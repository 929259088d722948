internal import CIECard
internal import Primitives

/// A trusted list (ETSI TS 119 612), version 5 or 6, whose signature is verified.
struct TrustedList: Sendable {
  /// Lists of a state, and lists of such lists, by the last word of TSLType (§5.3.3).
  enum Kind: String, Sendable {
    case national = "EUgeneric"
    case listOfLists = "EUlistofthelists"
  }

  /// The longest list that was seen, of Czechia, has 441.
  static let mostServices = 5000

  let kind: Kind
  let territory: String
  let sequenceNumber: Int
  let issued: UTCTime
  /// Nil for a list that is closed.
  let nextUpdate: UTCTime?
  /// The addresses of information, which in a list of lists also name its pivots (§5.3.7).
  let addresses: [String]
  let pointers: [Pointer]
  /// Services of the kinds that count.
  let services: [TrustedService]

  /// A pointer to another list (§5.3.13).
  struct Pointer: Sendable, Equatable {
    let territory: String
    let kind: Kind
    let location: String
    /// SHA-256 of the certificates that may sign it.
    let signers: Set<[UInt8]>
  }

  /// The signers of the list itself that a list of lists names, for the next one (TS 119 615 §4.1).
  var nextSigners: Set<[UInt8]> {
    Set(pointers.filter { $0.kind == .listOfLists && $0.territory == territory }.flatMap(\.signers))
  }

  /// Reads a list and verifies it.
  ///
  /// - Parameter signers: SHA-256 of the certificates that may sign it.
  init(_ bytes: [UInt8], by signers: Set<[UInt8]>) throws(TrustedListProblem) {
    let document = try ListDocument(bytes)
    self = try TrustedList(unverified: document)
    try ListSignature(of: document, by: signers).verify()
  }

  /// Reads a list, the signature aside.
  init(unverified document: ListDocument) throws(TrustedListProblem) {
    let root = document.root
    let version = root.first("SchemeInformation")?.first("TSLVersionIdentifier")?.text
    guard let version, ["5", "6"].contains(version) else {
      throw version.map { TrustedListProblem.version($0) } ?? .form(root.name)
    }
    try ListGrammar.check(root)
    let scheme = try root.only("SchemeInformation")
    let word = ListValue.lastWord(try scheme.only("TSLType").text)
    guard let kind = Kind(rawValue: word) else { throw .otherList }
    self.kind = kind
    territory = try scheme.only("SchemeTerritory").text
    guard let number = ListValue.number(try scheme.only("TSLSequenceNumber").text),
      let issued = ListValue.time(try scheme.only("ListIssueDateTime").text)
    else { throw .form(scheme.name) }
    (sequenceNumber, self.issued) = (number, issued)
    nextUpdate = try scheme.only("NextUpdate").first("dateTime").flatMap { ListValue.time($0.text) }
    addresses = try scheme.only("SchemeInformationURI").all("URI").map(\.text)
    pointers = (scheme.first("PointersToOtherTSL")?.all("OtherTSLPointer") ?? [])
      .compactMap(Self.pointer)
    let territory = self.territory
    let providers = root.first("TrustServiceProviderList")?.all("TrustServiceProvider") ?? []
    let count = providers.compactMap { $0.first("TSPServices")?.children.count }.reduce(0, +)
    guard count <= Self.mostServices else { throw .form("TSPService") }
    services = providers.flatMap { TrustedService.all(of: $0, in: territory) }
  }

  /// - Returns: nil for another format or type, such as the list for people, a PDF.
  private static func pointer(_ node: ListNode) -> Pointer? {
    let facts = (node.first("AdditionalInformation")?.all("OtherInformation") ?? [])
      .flatMap(\.children)
    func fact(_ name: String) -> String? { facts.first { $0.name == name }?.text }
    guard fact("MimeType") == "application/vnd.etsi.tsl+xml",
      let kind = fact("TSLType").flatMap({ Kind(rawValue: ListValue.lastWord($0)) }),
      let territory = fact("SchemeTerritory"), let location = node.first("TSLLocation")?.text
    else { return nil }
    let signers = (node.first("ServiceDigitalIdentities")?.all("ServiceDigitalIdentity") ?? [])
      .flatMap { $0.all("DigitalId") }
      .compactMap { $0.first("X509Certificate") }
      .compactMap { ListValue.bytes($0.text) }
      .compactMap { try? HashAlgorithm.sha256.hash($0) }
    return Pointer(territory: territory, kind: kind, location: location, signers: Set(signers))
  }
}
