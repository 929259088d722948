import CIECard
package import Messages
import Primitives

extension Diagnosis {
  package init(_ failure: Failure) {
    switch failure {
    case .card(let error): self.init(error)
    case .slowAccess(let error): self = .slowAccess(error)
    case .channel(let error): self.init(error)
    case .trustStore(let error): self.init(error)
    case .code(let problem): self.init(problem)
    case .file(let problem): self.init(problem)
    case .crypto(let error): self.init(error)
    case .notProved(let outcome): self.init(outcome)
    // Other certificates would not help, unlike with an incomplete chain.
    case .possibleCopy(let isSaved):
      self.init(
        .couldNotCheck, "could-not-check", key: "possible-clone",
        advice: Message(isSaved ? "possible-clone-saved.do" : "possible-clone-card.do"))
    case .expired(let day): self.init(.false, "document-expired", ["day": day])
    case .validityUnknown: self.init(.couldNotCheck, "validity-unknown")
    case .above(let error): self = error.diagnosis
    case .found(let problem): self = problem
    case .interrupted: self = .interrupted
    case .deadline(let seconds): self.init(.network, "deadline", ["count": seconds])
    }
  }

  /// The diagnosis of a card's delay after wrong codes, which prevents trying them all.
  private static func slowAccess(_ error: CardError) -> Diagnosis {
    var diagnosis = Diagnosis(error)
    diagnosis.advice = Message("slow-access.do", ["advice": diagnosis.advice])
    return diagnosis
  }

  private init(_ outcome: AuthenticityReport.Outcome) {
    switch outcome {
    case .false: self.init(.false, "not-authentic")
    case .knownFault(let fault):
      self.init(.couldNotCheck, "known-production-fault", ["fault": fault.text])
    case .couldNotCheck, .proved: self.init(.couldNotCheck, "could-not-check")
    }
  }

  private init(_ problem: FileProblem) {
    switch problem {
    case .unreadable(let path, let code):
      self.init(.usage, "input-unreadable", ["path": path, "reason": SystemError(code).reason])
    case .notPlain(let path): self.init(.usage, "input-not-a-file", ["path": path])
    case .writableByOthers(let path):
      self.init(.usage, "writable-by-others", ["path": path])
    case .noSecurityObject(let path):
      let file = DocumentFile.securityObject.fileName
      self.init(.usage, "no-security-object", ["path": path, "file": file])
    case .exists(let path): self.init(.usage, "output-exists", ["path": path])
    case .unwritable(let path, let code):
      self.init(
        .internalFailure, "output-unwritable", ["path": path, "reason": SystemError(code).reason])
    case .configuration(let path, let line):
      self.init(.usage, "config-invalid", ["path": path, "line": line])
    case .output(let code):
      self.init(.internalFailure, "output-failed", ["reason": SystemError(code).reason])
    }
  }

  /// A PIN or PUK that was not sent to the card.
  private init(_ problem: CodeProblem) {
    switch problem {
    case .missing(let role): self.init(role, "missing", key: "code-missing")
    case .length(let role): self.init(role, "length", key: "code-length")
    case .notDigits(let role): self.init(role, "not-digits", key: "code-not-digits")
    case .exposedFile(let role):
      self.init(
        .usage, "\(role.rawValue)-file-exposed", ["option": "--\(role.option)-file"],
        key: "code-file-exposed")
    case .unreadable(let role, let code):
      self.init(
        .usage, "\(role.rawValue)-unreadable",
        ["code": role.text, "reason": SystemError(code).reason, "options": role.options],
        key: "code-unreadable")
    case .noPinentry(let role):
      self.init(.usage, "no-pinentry", ["code": role.text])
    case .declined: self.init(.interrupted, "entry-declined")
    case .noTerminal(let role):
      self.init(.usage, "no-terminal", ["code": role.text, "options": role.options])
    case .entriesDiffer: self.init(.usage, "new-pin-entries-differ")
    case .weak(.sameDigits): self.init(.usage, "new-pin-weak", key: "new-pin-weak-same")
    case .weak(.consecutiveDigits):
      self.init(.usage, "new-pin-weak", key: "new-pin-weak-consecutive")
    case .unchanged: self.init(.usage, "new-pin-unchanged")
    }
  }

  private init(_ role: CodeRole, _ name: String, key: String) {
    guard let digits = role.length else {
      self.init(
        .usage, "\(role.rawValue)-\(name)", ["code": role.text], key: key,
        advice: Message("code-any.do", ["options": role.options]))
      return
    }
    self.init(
      .usage, "\(role.rawValue)-\(name)", ["code": role.text, "digits": digits], key: key,
      advice: Message("code-form.do", ["digits": digits]))
  }
}
