package import CIECard
import Glibc

/// The files of a travel document, and their judgement.
package struct DocumentReading: Sendable {
  /// The protocol that opened it; `nil` for saved files.
  package let access: AccessCode.AccessProtocol?
  package let evidence: AuthenticityReport.Evidence.Document
  package let report: AuthenticityReport
  /// True for a software card.
  package let isTest: Bool
  package let validity: Validity
  /// The time of the judgement: now, or the time of a recording.
  let present: PresentTime
  /// The evidence for another machine, if that was asked for.
  package private(set) var portable: CardEvidence?

  init(
    _ evidence: AuthenticityReport.Evidence.Document, openedBy access: AccessCode.AccessProtocol?,
    _ report: AuthenticityReport, knowing store: TrustStore?, isTest: Bool,
    at present: PresentTime, portable: CardEvidence? = nil
  ) {
    self.access = access
    self.evidence = evidence
    self.report = report
    self.isTest = isTest
    validity = Validity(evidence, report, knowing: store, at: present.moment)
    self.present = present
    self.portable = portable
  }

  /// The error of a clock by which nothing is valid or expired.
  package var clockProblem: Diagnosis? {
    validity.issueAfterClock.flatMap { present.problem(issued: [$0]) }
  }
}

/// `read`: reads a travel document and judges it.
package struct DocumentJob: Sendable {
  let key: DocumentKey
  /// The groups to show; `nil` for the usual ones. The files needed for the proof are read anyway: DG1, DG14, DG15, the
  /// signed hashes.
  var groups: Set<DataGroup>?
  /// True to read everything that the document lists, also the list of groups, which proves nothing.
  var wantsAll = false
  /// The evidence to fill for another machine; `nil` for none.
  var portable: CardEvidence?
  let requiresValidity: Bool
  let trust: TrustStore?

  package init(
    key: DocumentKey, groups: Set<DataGroup>? = nil, wantsAll: Bool = false,
    portable: CardEvidence? = nil, requiresValidity: Bool, trust: TrustStore?
  ) {
    self.key = key
    self.groups = groups
    self.wantsAll = wantsAll
    self.portable = portable
    self.requiresValidity = requiresValidity
    self.trust = trust
  }

  /// The groups of a CIE.
  private static let usualGroups: Set<DataGroup> = [.dg1, .dg2, .dg11, .dg12]

  package func run(on card: Conversation, in context: RunContext) throws(Failure) -> DocumentFinding
  {
    let all = Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    let wanted = groups ?? (wantsAll ? all : Self.usualGroups)
    var code = try key.awaited(in: context)
    let reading = try card.perform(in: context) { (card, random, context) throws(Failure) in
      try read(wanted, of: card, openedWith: &code, random: &random, in: context)
    }
    return DocumentFinding(
      reading: reading,
      data: DocumentData(
        of: reading.evidence, judgedBy: reading.report, named: groups, reading.validity),
      signer: DocumentSigner(
        securityObject: reading.evidence.securityObject, trust: trust, at: reading.present.time),
      requiresValidity: requiresValidity)
  }

  private func read(
    _ groups: Set<DataGroup>, of card: consuming SessionCard,
    openedWith code: inout AwaitedAccess, random: inout SessionRandom, in context: RunContext
  ) throws(Failure) -> DocumentReading {
    let opening = try code.resolve(in: context)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random, in: context)
    var portable = portable
    do throws(CardError) {
      let evidence = try document.gatherEvidence(
        groups.union([.dg1]), includingCommonData: wantsAll, openedWith: zone, into: &portable,
        random: &random)
      if document.endedOverLength { context.rememberShort(document.atr) }
      return DocumentReading(
        evidence, openedBy: document.access,
        AuthenticityReport(
          judging: evidence, trust: trust, at: context.time, notBefore: context.present.earliest),
        knowing: trust, isTest: context.isTest, at: context.present, portable: portable)
    } catch { throw .card(error) }
  }
}

extension SessionCard {
  /// Opens the travel document, once; a wrong code that the card answered slowly has a separate error.
  consuming func opened(
    with opening: consuming AwaitedAccess.Opening, random: inout SessionRandom,
    in context: RunContext
  ) throws(Failure) -> TravelDocument<SessionChannel> {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(CardError) {
      var document = try openTravelDocument(with: opening.code, random: &random)
      let report = context.reporter
      document.observe { report(CardProgress(step: $0, bytes: ($1, $2))) }
      return document
    } catch {
      // PACE itself takes a second, three over a bad link: a card that takes longer has slowed down after wrong codes.
      if case .wrongAccessCode = error.reason, clock.now - start >= .seconds(5) {
        throw .slowAccess(error)
      }
      throw .card(error)
    }
  }
}

/// The files of a travel document that `read --out` saved, judged without a card.
package enum SavedDocument {
  /// The limit for a file, above every card's.
  private static let longestFile = 256 << 10

  /// Reads a folder. Files of other names are left alone, and so is EF.COM, which is not signed.
  ///
  /// - Throws: `file`: the folder or one of its files cannot be read, is not plain or too long, or EF.SOD is missing.
  static func read(_ path: String) throws(Failure) -> AuthenticityReport.Evidence.Document {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .file(.unreadable(path: path, errno: errno)) }
    defer { close(folder) }
    func contents(_ file: DocumentFile) throws(Failure) -> [UInt8]? {
      try InputFile.read(file.fileName, in: folder, path, limit: longestFile)
    }
    guard let securityObject = try contents(.securityObject) else {
      throw .file(.noSecurityObject(path: path))
    }
    var groups: [DataGroup: [UInt8]] = [:]
    for group in DataGroup.allCases { groups[group] = try contents(.group(group)) }
    return AuthenticityReport.Evidence.Document(
      savedSecurityObject: securityObject, files: groups,
      cardAccess: try contents(.cardAccess), cardSecurity: try contents(.cardSecurity))
  }

  /// Judges it. The proof that the chip was no copy is never possible here.
  package static func verify(
    _ path: String, trust: TrustStore?, requiresValidity: Bool, at present: PresentTime
  ) throws(Failure) -> Verification {
    let evidence = try read(path)
    let report = AuthenticityReport(
      judging: evidence, trust: trust, at: present.time, notBefore: present.earliest)
    return Verification(
      document: DocumentReading(
        evidence, openedBy: nil, report, knowing: trust, isTest: false, at: present),
      ias: nil,
      requiresValidity: requiresValidity)
  }
}
