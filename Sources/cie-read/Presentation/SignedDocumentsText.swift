import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

extension SignedDocuments: Presentable {
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

  func members(_ language: Language) -> [JSON.Member] {
    [.init("documents", .array(orders.map { .object($0.members(language)) }))]
  }
}

extension SigningOrder {
  func members(_ language: Language) -> [JSON.Member] {
    [
      .init("in", path), .init("out", failure == nil ? output : nil),
      .init("length", document?.length), .init("pages", document?.pages),
      .init("digest", document?.digest.bytes.hexadecimal),
      .init("earlierSignatures", document?.signatures),
      .init("level", failure == nil ? level.rawValue : nil),
      .init("error", failure.map { Diagnosis($0).json(language) } ?? .null),
    ]
  }
}

extension ExtendedFile: Presentable {
  func lines(_ language: Language) -> [String] {
    [Message("extend.done", ["input": path, "path": output])(language)]
  }

  func members(_ language: Language) -> [JSON.Member] {
    let times = report.signatures.compactMap { $0.stampedTime }
    return [
      .init("in", path), .init("out", output), .init("level", level.rawValue),
      .init("stampedTimes", .array(times.map { .string($0.description) })),
    ]
  }
}
