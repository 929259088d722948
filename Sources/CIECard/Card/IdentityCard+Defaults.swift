internal import Glibc

/// The same with the system's random source, the built-in Italian anchors and the present time: what an application
/// asks for. Recordings, tests and other anchors use the longer forms.
extension IdentityCard where Channel: ~Copyable {
  /// The tries left of PIN and PUK, as far as the card tells.
  public consuming func readTries() throws(CardError) -> (pin: Int?, puk: Int?) {
    var random = SystemRandom()
    return try readTries(random: &random)
  }

  /// Collects what `AuthenticityReport` judges, with a challenge of 32 fresh bytes.
  ///
  /// - Parameter scope: which files are read.
  public mutating func gatherEvidence(
    _ scope: AuthenticityReport.Evidence.Scope = .servicesNumber
  ) throws(CardError) -> AuthenticityReport.Evidence {
    var random = SystemRandom()
    return try gatherEvidence(scope, random: &random)
  }

  /// Opens the travel document.
  ///
  /// - Parameters:
  ///   - code: used up, right or wrong.
  ///   - allowingLastTry: whether the last try of a code that blocks may be spent.
  public consuming func openTravelDocument(
    with code: consuming AccessCode, allowingLastTry: Bool = false
  ) throws(CardError) -> TravelDocument<Channel> {
    var random = SystemRandom()
    return try openTravelDocument(
      with: code, allowingLastTry: allowingLastTry, random: &random)
  }
}

extension TravelDocument where Channel: ~Copyable {
  /// Collects what `AuthenticityReport` judges of the travel document.
  ///
  /// - Parameter groups: what is wanted besides DG14 and DG15, which serve the proof.
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
  ///   - evidence: what was read from the card.
  ///   - trust: the CSCA certificates to believe.
  public init(judging evidence: Evidence, trust: TrustStore? = .italian) {
    self.init(judging: evidence, trust: trust, at: .now)
  }

  /// Judges evidence of a travel document as of now.
  ///
  /// - Parameters:
  ///   - evidence: what was read of the document.
  ///   - trust: the CSCA certificates to believe.
  public init(judging evidence: Evidence.Document, trust: TrustStore? = .italian) {
    self.init(judging: evidence, trust: trust, at: .now)
  }
}

extension AuthenticityReport.Evidence {
  /// The services number (NIS), where it was read and has its form.
  public var servicesNumber: ServicesNumber? {
    files[.servicesNumber].flatMap { ServicesNumber($0) }
  }
}
