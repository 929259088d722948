import Arguments
import CIECard
import CardWork

/// The key to the travel document: the CAN, or the data of the machine readable zone.
extension DocumentKey: Readable {
  static let title: String? = "document"

  init(from inputs: inout Inputs) throws(Failure) {
    let can = try inputs.text(
      "can", help: "option.can", value: "digits",
      http: Offer(
        "The six digits at the bottom right of the front of the card.",
        .text(pattern: "^[0-9]{6}$")))
    let descriptor: Int32? = try inputs.option("can-fd", help: "option.can-fd", value: "n")
    let zoneFile = try inputs.text(
      "mrz-file", help: "option.mrz-file", value: "file", completion: .file())
    let document = try inputs.text("document", help: "option.document", value: "number")
    let birth = try inputs.text("birth", help: "option.birth", value: "date")
    let expiry = try inputs.text("expiry", help: "option.expiry", value: "date")
    self.init(
      can: can, descriptor: descriptor, zoneFile: zoneFile, document: document, birth: birth,
      expiry: expiry)
  }

  /// The key, if one was named.
  var named: DocumentKey? { isGiven ? self : nil }
}

/// The choice by which an expired document is accepted or not.
struct ValidityChoice: Readable {
  static let title: String? = "trust"

  let isRequired: Bool

  init(from inputs: inout Inputs) throws(Failure) {
    isRequired = try inputs.flag(
      "require-valid", help: "option.require-valid", http: "An expired document is an error.")
  }
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

extension Offer {
  /// Data groups, for requests.
  static let groups = Offer(
    "Only these data groups.",
    .list(
      of: .choice(DataGroup.allCases.filter { !DataGroup.ofTheState.contains($0) }.map(\.name)),
      atLeast: 1))
}
