extension ChipMappingProof {
  /// Compares with the static keys that EF.CardSecurity names. Whether that file is genuine is for the report.
  func judge(cardSecurity file: [UInt8]) -> ChipAuthenticationResult {
    do {
      let infos = try SecurityInfos(CardSecurity(file: file).securityInfos)
      let offers = try ChipAuthenticationOffer.all(in: infos)
      guard !offers.isEmpty else { return .notOffered }
      if offers.contains(where: { isConfirmed(by: $0.publicValue, in: $0.domain) }) {
        return .proved
      }
      // The key in use may be one of those that cannot be calculated with.
      let isComplete = Set(offers.map(\.publicValue)).count == infos.chipAuthenticationKeys.count
      return isComplete ? .failed : .unsupported
    } catch {
      // A file or a key that is not understood says nothing of the chip.
      return .unsupported
    }
  }
}
