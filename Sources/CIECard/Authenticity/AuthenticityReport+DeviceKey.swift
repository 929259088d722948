extension AuthenticityReport {
  /// Whether the Italian state vouches for a key of device authentication: before a PIN goes to the chip that holds it.
  ///
  /// The key's hash is in group A4 of the IAS security object, which a signer signed whom an Italian CSCA issued, for
  /// cards. Whether the certificates are still valid does not matter: a key that the state vouched for when it
  /// issued the card is the card's as long as it works.
  ///
  /// - Parameters:
  ///   - file: EF.Int.Kpub (1004), as read; padding is dropped.
  ///   - securityObject: EF.SOD (1006); `nil` when the card did not give it.
  ///   - trust: the CSCA certificates to believe.
  ///   - time: the time of judging; of several chains one that is valid goes first.
  /// - Returns: `proved`; `false` as soon as anything is; else what could not be checked.
  public static func judgeDeviceKey(
    _ file: [UInt8], securityObject: [UInt8]?, trust: TrustStore?, at time: UTCTime
  ) -> Verdict {
    let evidence = AuthenticityEvidence(
      securityObject: securityObject, files: [.deviceKey: file])
    let report = AuthenticityReport(judging: evidence, trust: trust, at: time)
    // All of it is required but the document type, which a signer need not state, and the validity.
    let falsehood = report.points.first { if case .false = $0.verdict { true } else { false } }
    if let falsehood { return falsehood.verdict }
    let required: [Kind] = [.signature, .hash(.deviceKey), .signerChain, .issuingState]
    return required.compactMap { report[$0] }.first { $0 != .proved } ?? .proved
  }
}
