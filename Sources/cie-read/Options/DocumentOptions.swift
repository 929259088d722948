import Arguments
import CIECard
import CardWork

/// The key to the travel document: the CAN, or the data of the machine readable zone.
struct AccessOptions: ParsableArguments {
  static let title: String? = "document"

  @Option(help: .text("option.can", value: "digits")) var can: String?
  @Option(help: .text("option.can-fd", value: "n")) var canFd: Int32?
  @Option(help: .text("option.mrz-file", value: "file"), completion: .file()) var mrzFile: String?
  @Option(help: .text("option.document", value: "number")) var document: String?
  @Option(help: .text("option.birth", value: "date")) var birth: String?
  @Option(help: .text("option.expiry", value: "date")) var expiry: String?

  /// True if the command line has an option that opens the document.
  var isGiven: Bool { key.isGiven }

  /// The key, if the command line names one.
  var givenKey: DocumentKey? { isGiven ? key : nil }

  var key: DocumentKey {
    DocumentKey(
      can: can, descriptor: canFd, zoneFile: mrzFile, document: document, birth: birth,
      expiry: expiry)
  }
}

/// The option by which an expired document is accepted or not.
struct ValidityOptions: ParsableArguments {
  static let title: String? = "trust"

  @Flag(help: .text("option.require-valid")) var requireValid = false

}

/// Data groups as a command line names them: `dg1,dg2,dg11`.
enum DataGroupList {
  /// - Throws: `usage` for an unknown name, or DG3 or DG4.
  static func groups(in text: String) throws(Failure) -> Set<DataGroup> {
    try groups(named: text.split(separator: ",", omittingEmptySubsequences: false))
  }

  /// - Throws: also for no name at all.
  static func groups(named names: [some StringProtocol]) throws(Failure) -> Set<DataGroup> {
    guard !names.isEmpty else {
      throw .usage("unknown-data-group", key: "document-option.unknown-data-group")
    }
    var groups: Set<DataGroup> = []
    for name in names {
      guard let group = DataGroup(name: name) else {
        throw .usage("unknown-data-group", key: "document-option.unknown-data-group")
      }
      guard !DataGroup.ofTheState.contains(group) else {
        throw .usage("protected-data-group", key: "document-option.protected-data-group")
      }
      groups.insert(group)
    }
    return groups
  }
}
