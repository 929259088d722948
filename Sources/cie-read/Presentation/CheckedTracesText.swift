import CardWork
import Messages
import Primitives

struct CheckedTraces: FunctionResult {
  let files: [CheckedTrace]

  var failure: Failure? {
    files.allSatisfy(\.isGood) ? nil : .found(Diagnosis(.false, "trace-faulty"))
  }

  func lines(_ language: Language) -> [String] {
    files.flatMap { file in
      file.findings.map { "\(file.path): \($0.text(language))" }
    }
  }

  static let members: [Member<CheckedTraces>] = [Member("files", \.files)]
}

extension CheckedTrace: DescribedObject {
  static let members: [Member<CheckedTrace>] = [
    Member("file", \.path), Member("kind", \.kind), Member("good", \.isGood),
    Member(
      "findings", { $0.findings.map(\.word) },
      note: "good, log, personal-data, ends-otherwise, not-followed, or the name of an error."),
  ]
}

extension CheckedTrace {
  /// The findings in words, each with the word for scripts; a good file has one, too.
  fileprivate var findings: [(word: String, text: Message)] {
    var findings: [(word: String, text: Message)] = []
    if let form { findings.append((form.name, form.what)) }
    if foreignNumbers > 0 {
      findings.append(
        ("personal-data", Message("trace.check.personal-data", ["number": foreignNumbers])))
    }
    switch replay {
    case .none where form == nil: findings.append(("log", Message("trace.check.log")))
    case .none: break
    case .asExpected where isGood: findings.append(("good", Message("trace.check.good")))
    case .asExpected: break
    case .otherwise(let expected, let got):
      findings.append(
        (
          "ends-otherwise",
          Message("trace.check.otherwise", ["expected": expected, "got": got])
        ))
    case .notFollowed(let line):
      findings.append(("not-followed", Message("trace.check.not-followed", ["line": line])))
    }
    return findings
  }
}
