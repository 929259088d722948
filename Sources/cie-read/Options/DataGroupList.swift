import CIECard

/// Data groups as a command line names them: `dg1,dg2,dg11`.
enum DataGroupList {
  /// - Throws: `usage`: a name that is none, or DG3 or DG4.
  static func groups(in text: String) throws(Failure) -> Set<DataGroup> {
    var groups: Set<DataGroup> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let group = DataGroup(name: name) else { throw .usage(.document(.unknownDataGroup)) }
      guard !DataGroup.ofTheState.contains(group) else {
        throw .usage(.document(.protectedDataGroup))
      }
      groups.insert(group)
    }
    return groups
  }
}

extension DataGroup {
  /// Fingerprints and irises, which the card shows to the issuing state alone (Doc 9303-11 §7.1).
  static let ofTheState: Set<DataGroup> = [.dg3, .dg4]
}
