extension TravelDocument where Channel: ~Copyable {
  /// The most ways of chip authentication that are tried; each costs two commands or three.
  private static var mostOffers: Int { 4 }

  /// Lets the chip prove that it holds the private key to a static key of DG14.
  ///
  /// It means nothing unless DG14 itself is genuine: the report looks at both.
  ///
  /// - Parameters:
  ///   - dataGroup14: the file.
  ///   - random: where the ephemeral key comes from.
  package mutating func authenticateChip(
    with dataGroup14: [UInt8], random: inout some RandomSource
  ) throws(CardError) -> ChipAuthenticationResult {
    report(.authenticateChip)
    guard let infos = try? SecurityInfos(dataGroup14: dataGroup14) else { return .notOffered }
    guard !infos.chipAuthenticationKeys.isEmpty else { return .notOffered }
    let offers = try CardError.crypto(at: .authenticateChip) { () throws(CryptoError) in
      try ChipAuthenticationOffer.all(in: infos)
    }
    // One way that is refused does not speak against the next.
    var result = ChipAuthenticationResult.unsupported
    for offer in offers.prefix(Self.mostOffers) {
      result = try ChipAuthentication.run(offer, through: &channel, random: &random)
      guard case .refused = result else { break }
    }
    return result
  }
}
