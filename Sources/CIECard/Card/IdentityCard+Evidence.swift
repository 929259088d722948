extension AuthenticityReport.Evidence {
  /// Scope of the evidence.
  public enum Scope: Sendable, Equatable {
    /// Evidence for the services number: the number, the services key, the security object, the
    /// challenge.
    case servicesNumber
    /// Everything readable without the PIN: also the device key and the Diffie–Hellman parameters.
    case everythingFree

    fileprivate var files: [(group: AuthenticityReport.IASDataGroup, file: ElementaryFile)] {
      switch self {
      case .servicesNumber:
        [
          (.servicesNumber, .servicesNumber),
          (.servicesKey, .servicesKey),
        ]
      case .everythingFree:
        // EF.DH lies under the root: read first, while the root is selected anyway.
        [
          (.dhParameters, .parameters),
          (.servicesNumber, .servicesNumber),
          (.deviceKey, .deviceKey),
          (.servicesKey, .servicesKey),
        ]
      }
    }
  }
}

extension IdentityCard where Channel: ~Copyable {
  /// Collects the evidence for `AuthenticityReport`: files in clear, and the chip's response to a
  /// challenge.
  ///
  /// A file that the card refuses, or that is malformed, is left out, and the report states that it
  /// was not read. A failing reader or a lost card is an error.
  ///
  /// - Parameters:
  ///   - scope: the files to read.
  ///   - challenge: 8 to 102 bytes that the chip signs with key 83 (RSA PKCS#1 v1.5, no
  ///     DigestInfo). The upper limit is that of IAS ECC, 40 % of the modulus; use fresh random
  ///     bytes unless another party provides the challenge.
  /// - Throws: `CardError` if the connection to the card fails, or it has no CIE application.
  public mutating func gatherEvidence(
    _ scope: AuthenticityReport.Evidence.Scope, challenge: [UInt8]
  ) throws(CardError) -> AuthenticityReport.Evidence {
    var evidence = try readEvidence(scope)
    evidence.challenge = challenge
    evidence.response = try answer(to: challenge)
    return evidence
  }

  /// Collects the same for another machine that judges it: the chip signs all that the evidence holds then.
  ///
  /// - Parameters:
  ///   - scope: the files to read.
  ///   - evidence: that of the receiver's request, with the travel document if that was read before.
  public mutating func gatherEvidence(
    _ scope: AuthenticityReport.Evidence.Scope, into evidence: inout CardEvidence
  ) throws(CardError) {
    evidence.ias = try readEvidence(scope)
    let challenge = try CardError.crypto(at: .answerChallenge, try evidence.iasChallenge())
    evidence.ias?.challenge = challenge
    evidence.ias?.response = try answer(to: challenge)
  }

  private mutating func readEvidence(
    _ scope: AuthenticityReport.Evidence.Scope
  ) throws(CardError) -> AuthenticityReport.Evidence {
    var evidence = AuthenticityReport.Evidence()
    for (group, file) in scope.files {
      evidence.files[group] = try readIfPossible(file)
    }
    evidence.securityObject = try readIfPossible(.securityObject)
    return evidence
  }

  /// Collects the evidence with a challenge of fresh bytes.
  package mutating func gatherEvidence(
    _ scope: AuthenticityReport.Evidence.Scope, random: inout some RandomSource
  ) throws(CardError) -> AuthenticityReport.Evidence {
    let challenge = try CardError.crypto(
      at: .answerChallenge, try random.bytes(AuthenticityReport.Evidence.challengeLength))
    return try gatherEvidence(scope, challenge: challenge)
  }

  private mutating func readIfPossible(
    _ file: ElementaryFile
  ) throws(CardError) -> [UInt8]? {
    do throws(CardError) {
      return try read(file)
    } catch {
      guard error.leavesFileOut else { throw error }
      return nil
    }
  }

  /// MSE SET and INTERNAL AUTHENTICATE with key 83, in clear; with Le, so that all 256 bytes come at once.
  ///
  /// - Returns: `nil` if the card refuses.
  private mutating func answer(to challenge: [UInt8]) throws(CardError) -> [UInt8]? {
    try selectCIE()
    report(.answerChallenge)
    let selection = try channel.send(
      KeyUsage.select(KeyUsage.servicesKey), at: .answerChallenge)
    guard selection.status == .success else { return nil }
    let answer = try channel.send(
      .internalAuthenticate(challenge, expected: .upTo(AuthorityKey.modulusLength)),
      at: .answerChallenge)
    return answer.status == .success ? answer.data : nil
  }
}
