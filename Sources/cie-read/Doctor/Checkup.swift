import CIECard
import CardWork
import Messages
import Primitives
import RedirectFlow
import Traces

/// The checks of `doctor`, in their order.
struct Checkup {
  let conversation: Conversation
  let context: RunContext
  var findings: [DoctorFinding] = []
  private var readers: [String] = []

  /// Makes the checks.
  ///
  /// - Parameters:
  ///   - anchors: the certificates that are trusted.
  ///   - vouching: the check of a chip before it gets a PIN or PUK.
  ///   - environment: to contact; nil for no contact.
  init(
    conversation: Conversation, anchors: TrustStore?, vouching: HolderAccess.Vouching,
    environment: LoginEnvironment? = nil, in context: RunContext
  ) {
    self.conversation = conversation
    self.context = context
    findings = look(vouching)
    let system = SystemCheck(context, anchors: anchors)
    findings += [system.moduleFinding, system.clockFinding, system.anchorFinding]
    findings += RegistrationCheck(search: RegistrationSearch { Environment.value(of: $0) }).findings
    findings.append(TrustedListCheck(context: context).finding)
    findings.append(NetworkCheck(environment: environment, context: context).finding)
  }

  private mutating func look(_ vouching: HolderAccess.Vouching) -> [DoctorFinding] {
    switch conversation.source {
    case .reader(let selection, _):
      return ReaderCheck(
        selection: selection, conversation: conversation, context: context, vouching: vouching
      )
      .findings(&readers)
    case .substitute:
      var traits: ChannelTraits?
      return ReaderCheck(
        selection: .any, conversation: conversation, context: context, vouching: vouching
      )
      .cardFindings(in: conversation.source, &traits)
    }
  }

  func result() -> CheckupResult { CheckupResult(findings: findings) }

  /// The report to share, for which a card that answers is examined.
  func report(
    can: HeldCode?, pin: HeldCode?, vouching: HolderAccess.Vouching
  ) throws(Failure) -> (text: String, card: SurveyedCard?) {
    var card: SurveyedCard?
    if findings.contains(where: \.isOfAnsweringCard) {
      let access = HolderAccess(allowsLastTry: false, vouching: vouching)
      card = try SurveyJob(can: can, pin: pin, access: access, diary: TraceRecorder())
        .run(on: conversation, in: context)
    }
    let report = ShareableReport(
      findings: findings, readers: readers, card: card, day: context.time)
    return (report.text, card)
  }
}

/// The findings, perhaps with a report about the card.
struct CheckupResult: FunctionResult {
  private let findings: [DoctorFinding]
  /// The path of the report's file, or its text.
  private var report: String?
  private var survey: [CardObservation]?
  private(set) var failure: Failure?
  private(set) var form = ResultForm()
  private var further: [Message] = []

  init(findings: [DoctorFinding]) {
    self.findings = findings
    // The first failure prevents the checks after it.
    failure = findings.lazy.compactMap(\.failure).first.map(Failure.found)
    form.isFailureShown = true
  }

  /// Adds the card's part of a report.
  ///
  /// - Parameter report: the path of its file, or its text.
  mutating func add(_ card: SurveyedCard?, report: String, _ lines: [Message] = []) {
    let end = card?.end.map { Diagnosis(inDoctor: $0) }
    // A wrong PIN, for example, is not only for the report.
    if let end, failure == nil {
      failure = .found(end)
      form.isFailureShown = false
    }
    survey = card?.observations ?? []
    self.report = report
    further = lines
  }

  static let members: [Member<CheckupResult>] = [
    Member("headline", \.findings.headline, note: "All findings in one sentence."),
    Member("findings", \.findings),
    .whenPresent(
      "report", \.report, note: "Where the report is, with --report; over HTTP its text."),
    .whenPresent("survey", \.survey, note: "With --report: what the card was asked."),
  ]

  func lines(_ language: Language) -> [String] {
    findings.lines(language) + further.map { $0(language) }
  }
}

extension CardObservation: DescribedObject {
  static let members: [Member<CardObservation>] = [
    Member("number", \.number).of { .text(pattern: "^([DIE][0-9]*)(/D[0-9]+)?$") },
    Member("subject", \.subject), Member("answer", \.answer),
  ]
}
