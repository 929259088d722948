import CIECard
import Messages
import System

/// One thing that was looked at, how it is, and what to do about it.
struct DoctorFinding: Sendable {
  /// How it is. Its raw value is for scripts.
  enum Grade: String, Sendable {
    case ok
    /// Something will not work, or not for long.
    case warning
    /// Nothing works before it is mended.
    case problem
  }

  /// What was looked at, for scripts.
  let name: String
  let grade: Grade
  let what: Message
  /// What to do; `nil` where nothing is to be done.
  let remedy: Message?
  /// What a command would have ended with; `nil` unless it is a problem.
  let failure: Diagnosis?

  init(_ name: String, _ grade: Grade, _ what: Message, remedy: Message? = nil) {
    self.name = name
    self.grade = grade
    self.what = what
    self.remedy = remedy
    failure = nil
  }

  /// What a command would say.
  init(_ name: String, _ diagnosis: Diagnosis, _ grade: Grade = .problem) {
    self.name = name
    self.grade = grade
    what = diagnosis.what
    remedy = diagnosis.advice
    failure = grade == .problem ? diagnosis : nil
  }

  /// Whether a card was there and answered, be it as no CIE does: a card that is not understood is one to be asked.
  var isOfAnsweringCard: Bool {
    guard name == "card", let failure else { return name == "card" && grade == .ok }
    return failure.kind == .notACIE || failure.statusWord != nil
  }

  /// For scripts; all keys are always there.
  func json(_ language: Language) -> JSON {
    .object([
      .init("name", name), .init("grade", grade.rawValue),
      .init("what", what.asTold(by: "cie-read")(language)),
      .init("do", remedy?.asTold(by: "cie-read")(language)), .init("error", failure?.name),
    ])
  }

  /// For people.
  func lines(_ language: Language) -> [String] {
    let label = Message("doctor.grade.\(grade.rawValue)")(language)
    let margin = String(repeating: " ", count: 10)
    let head = label + String(repeating: " ", count: max(1, 10 - label.count))
    return [head + what.asTold(by: "cie-read")(language)]
      + (remedy.map { [margin + $0.asTold(by: "cie-read")(language)] } ?? [])
  }
}
