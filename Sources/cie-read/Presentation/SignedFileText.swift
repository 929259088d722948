import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

extension SignedDocuments: FunctionResult {
  /// The loss of the card before the unfitness of a file; nil if all are signed.
  var failure: Failure? {
    let failures = orders.compactMap { $0.failure }
    return failures.first { if case .card = $0 { true } else { false } } ?? failures.first
  }

  func lines(_ language: Language) -> [String] {
    orders.map { order in
      if let failure = order.failure {
        let reason = Diagnosis(failure).what.asTold(by: "cie-read")
        // The errors of a file name it.
        if reason.arguments["path"] != nil { return reason(language) }
        return Message("sign.not-done", ["input": order.path, "reason": reason])(language)
      }
      return Message("sign.done", ["input": order.path, "path": order.output])(language)
    }
  }

  static let members: [Member<SignedDocuments>] = [
    Member(
      "documents", \.orders,
      note: "The files of --format cades or pades, in the order of the command line.")
  ]
}

extension SignedFiles: FunctionResult {
  static let members: [Member<SignedFiles>] = [Member("files", \.files)]

  func lines(_ language: Language) -> [String] {
    files.flatMap { $0.lines(isOnly: files.count == 1, language) }
  }
}

extension SignedFile {
  /// - Parameter isOnly: true to leave to the program's error what it says of a single file.
  fileprivate func lines(isOnly: Bool, _ language: Language) -> [String] {
    switch result {
    case .success(let report):
      let heading = Message("labelled", ["label": path, "value": report.form.text])
      let failure = signedElsewhere ?? Diagnosis(report)?.what
      let verdict = isOnly && failure != nil ? [] : [failure ?? Message("signed.proved")]
      return [heading(language)] + report.lines(isOnline: answers != nil, language)
        + (answers?.lines(language) ?? []) + verdict.map { $0(language) }
    case .failure where isOnly: return []
    case .failure(let error):
      if let signedElsewhere { return [signedElsewhere(language)] }
      // Its words name the file.
      return [Diagnosis(error).what.asTold(by: "cie-read")(language)]
    }
  }
}

extension SignedFile {
  /// The place of its signature, if that is another of the files.
  private var signedElsewhere: Message? {
    signedIn.map { Message("signed.elsewhere", ["path": path, "name": $0]) }
  }
}

extension DocumentReport {
  /// - Parameter isOnline: true if the authorities were asked.
  fileprivate func lines(isOnline: Bool, _ language: Language) -> [String] {
    signatures.enumerated().flatMap { index, signature in
      signature.lines(index + 1, of: signatures.count, isOnline: isOnline, language)
    }
      + outside.map { $0.text(language) }
      + inner.flatMap { report in
        [Message("signed.inside", ["form": report.form.text])(language)]
          + report.lines(isOnline: isOnline, language)
      }
  }
}

extension SignatureReport {
  fileprivate func lines(
    _ number: Int, of count: Int, isOnline: Bool, _ language: Language
  ) -> [String] {
    let name: Message.Argument = signer?.subject.text ?? Message("signed.unknown-signer")
    let heading = Message(
      isTimeStamp ? "signed.stamp" : "signed.signature",
      ["number": number, "total": count, "name": name])
    return [heading(language)] + (quality.map { ["  " + $0(language)] } ?? [])
      + judged.lines(language)
      + remarks(isOnline: isOnline).map { "  " + $0(language) }
  }

  /// Remarks that are no points, because nothing is proved by them.
  private func remarks(isOnline: Bool) -> [Message] {
    var remarks: [Message] = []
    if let claimedTime {
      remarks.append(
        Message(
          isTimeStamp ? "signed.time-of-stamp" : "signed.claimed-time",
          ["time": LocalMoment(claimedTime)]))
    }
    if let stampedTime {
      remarks.append(Message("signed.stamped-time", ["time": LocalMoment(stampedTime)]))
    } else if hasTimeStamp, self[.timeStamp] == nil {
      remarks.append(Message("signed.time-stamp"))
    }
    if let listAge { remarks.append(listAge) }
    if signer != nil, !isTimeStamp, !commits { remarks.append(Message("signed.no-commitment")) }
    switch laterContent {
    case .none: break
    case .signatures: remarks.append(Message("signed.later-signatures", ["count": laterBytes]))
    case .signaturesShown:
      remarks.append(Message("signed.later-signatures-shown", ["count": laterBytes]))
    case .other: remarks.append(Message("signed.later", ["count": laterBytes]))
    }
    if self[.validity] == .proved, self[.revocation] == nil {
      remarks.append(Message("signed.revocation-open"))
    }
    if !isOnline, let address = issuerAddress {
      remarks.append(Message("signed.issuer-address", ["url": address]))
    }
    return remarks
  }

  private func text(of kind: Kind) -> Message {
    switch kind {
    case .validity where stampedTime != nil: Message("signed.point.validity-then")
    case .timeStamp where isTimeStamp: Message("signed.point.stamped")
    case .coverage, .attributes, .contents, .signature, .signingCertificate, .statedTime, .chain,
      .validity, .revocation, .timeStamp:
      kind.text
    }
  }

  private var judged: [JudgedPoint] {
    points.map { point in
      JudgedPoint(
        point: point.kind.rawValue,
        text: text(of: point.kind),
        verdict: point.verdict.word,
        verdictText: point.verdict.text, reason: point.verdict.reason)
    }
  }
}
