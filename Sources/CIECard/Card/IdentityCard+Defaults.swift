/// Short forms with the system's random source, the built-in Italian anchors and the present time,
/// for applications. Recordings, tests and other anchors use the long forms.
extension IdentityCard where Channel: ~Copyable {
  /// Reads the remaining tries of PIN and PUK, as far as the card reports them.
  public consuming func readTries() throws(CardError) -> (pin: Int?, puk: Int?) {
    var random = SystemRandom()
    return try readTries(random: &random)
  }

  /// Collects the evidence for `AuthenticityReport`, with a challenge of 32 fresh bytes.
  ///
  /// - Parameter scope: the files to read.
  public mutating func gatherEvidence(
    _ scope: AuthenticityReport.Evidence.Scope = .servicesNumber
  ) throws(CardError) -> AuthenticityReport.Evidence {
    var random = SystemRandom()
    return try gatherEvidence(scope, random: &random)
  }

  /// Opens the travel document.
  ///
  /// - Parameters:
  ///   - code: consumed, right or wrong.
  ///   - allowingLastTry: true to spend the last try of a code that blocks.
  public consuming func openTravelDocument(
    with code: consuming AccessCode, allowingLastTry: Bool = false
  ) throws(CardError) -> TravelDocument<Channel> {
    var random = SystemRandom()
    return try openTravelDocument(
      with: code, allowingLastTry: allowingLastTry, random: &random)
  }
}

extension TravelDocument where Channel: ~Copyable {
  /// Collects the evidence of the travel document for `AuthenticityReport`.
  ///
  /// - Parameter groups: the data groups to read besides DG14 and DG15, which are needed for the
  ///   proof.
  public mutating func gatherEvidence(
    _ groups: Set<DataGroup>
  ) throws(CardError) -> AuthenticityReport.Evidence.Document {
    var random = SystemRandom()
    return try gatherEvidence(groups, random: &random)
  }
}

extension AuthenticityReport {
  /// Judges evidence of the IAS side as of now.
  ///
  /// - Parameters:
  ///   - evidence: the data read from the card.
  ///   - trust: the trusted CSCA certificates.
  public init(judging evidence: Evidence, trust: TrustStore? = .italian) {
    self.init(judging: evidence, trust: trust, at: .now, notBefore: TrustStore.newestBuiltIn)
  }

  /// Judges evidence of a travel document as of now.
  ///
  /// - Parameters:
  ///   - evidence: the data read from the document.
  ///   - trust: the trusted CSCA certificates.
  public init(judging evidence: Evidence.Document, trust: TrustStore? = .italian) {
    self.init(judging: evidence, trust: trust, at: .now, notBefore: TrustStore.newestBuiltIn)
  }
}

extension DocumentData {
  /// Takes the contents out of the files of a travel document as of now.
  ///
  /// - Parameters:
  ///   - evidence: the data read from the document.
  ///   - report: the judgement of them.
  public init(
    of evidence: AuthenticityReport.Evidence.Document, judgedBy report: AuthenticityReport
  ) {
    self.init(of: evidence, judgedBy: report, at: .now, notBefore: TrustStore.newestBuiltIn)
  }
}

extension AuthenticityReport.Evidence {
  /// The services number (NIS), if it was read and is well-formed; padding after it is dropped.
  public var servicesNumber: ServicesNumber? {
    files[.servicesNumber]
      .flatMap(AuthenticityReport.IASDataGroup.servicesNumber.hashedPart)
      .flatMap { ServicesNumber($0) }
  }
}
