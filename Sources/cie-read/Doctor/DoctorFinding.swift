import CIECard
import CardWork
import Messages
import Primitives

extension Diagnosis {
  /// A card's error that `doctor` reports. It spends no last try, and has no option for that, unlike another command.
  init(inDoctor error: CardError) {
    self.init(error)
    if case .lastTryRefused = error.reason { advice = Message("doctor.last-pin-try.do") }
  }
}

/// One check, with its result and its advice.
struct DoctorFinding: Sendable {
  /// The result. Its raw value is for scripts.
  enum Grade: String, Sendable {
    case ok
    /// It was not looked at, or cannot be known.
    case unchecked = "not-checked"
    /// A feature will not work, or not for long.
    case warning
    /// The program does not work until it is repaired.
    case problem
  }

  let name: String
  let grade: Grade
  let what: Message
  let remedy: Message?
  /// The failure that a command would have ended with; `nil` unless it is a problem.
  let failure: Diagnosis?
  /// The command line that mends it, to be copied; nil without one.
  let command: String?
  /// The work of the window that mends it; nil without one.
  let repair: Repair?
  /// The program whose words it has.
  var speaker = "cie-read"

  /// Work that mends a finding.
  enum Repair: Sendable {
    case registration(Registrant)
    case trustedLists

    fileprivate var word: String {
      switch self {
      case .registration(let registrant): registrant.rawValue
      case .trustedLists: "trusted-lists"
      }
    }
  }

  init(
    _ name: String, _ grade: Grade, _ what: Message, remedy: Message? = nil,
    failure: Diagnosis? = nil, command: String? = nil, repair: Repair? = nil
  ) {
    self.name = name
    self.grade = grade
    self.what = what
    self.remedy = remedy
    self.failure = failure
    self.command = command
    self.repair = repair
  }

  /// A finding in the words of a command's failure.
  init(_ name: String, _ diagnosis: Diagnosis, _ grade: Grade = .problem, command: String? = nil) {
    self.init(
      name, grade, diagnosis.what, remedy: diagnosis.advice,
      failure: grade == .problem ? diagnosis : nil, command: command)
  }

  /// True if a card was there and answered, even unlike a CIE, because an unknown card is worth examining.
  var isOfAnsweringCard: Bool {
    guard name == "card", let failure else { return name == "card" && grade == .ok }
    return failure.kind == .notACIE || failure.statusWord != nil
  }

  fileprivate func lines(_ width: Int, _ language: Language) -> [String] {
    let label = grade.label(language)
    let margin = String(repeating: " ", count: width)
    let head = label + String(repeating: " ", count: width - label.count)
    return [head + what.asTold(by: speaker)(language)]
      + (remedy.map { [margin + $0.asTold(by: speaker)(language)] } ?? [])
  }
}

/// All keys are always present.
extension DoctorFinding: DescribedObject {
  static let members: [Member<DoctorFinding>] = [
    Member("name", \.name, note: "What was looked at, for scripts."), Member("grade", \.grade),
    Member("what") { $0.what.asTold(by: $0.speaker) },
    Member(
      "do", { finding in finding.remedy?.asTold(by: finding.speaker) },
      note: "What to do; null where nothing is to be done."),
    Member(
      "error", { $0.failure?.name }, note: "The name of the error that a command would end with."),
    Member(
      "command", \.command,
      note: "A command line that mends it, with root's rights; null without one."),
    Member("repair") { $0.repair?.word }.of {
      .words(
        Registrant.usual.map { Repair.registration($0).word } + [Repair.trustedLists.word]
      ).orNull.noted(
        "The argument of browser install, or of POST /v1/register, that mends it, or trusted-lists "
          + "for trust update and POST /v1/update-lists; null without one.")
    },
  ]
}

extension DoctorFinding.Grade: CaseIterable, DescribedWord {
  fileprivate var label: Message { Message("doctor.grade.\(rawValue)") }
}

extension [DoctorFinding] {
  func lines(_ language: Language) -> [String] {
    let labels = DoctorFinding.Grade.allCases.map { $0.label(language) }
    let width = (labels.map(\.count).max() ?? 0) + 2
    return [headline(language)] + flatMap { $0.lines(width, language) }
  }

  var headline: Message {
    for grade in [DoctorFinding.Grade.problem, .warning] {
      let count = self.count { $0.grade == grade }
      if count > 0 { return Message("doctor.headline.\(grade.rawValue)", ["count": count]) }
    }
    return Message("doctor.headline.ok")
  }
}
