import CardWork
import DocumentSigning
import Messages
import Primitives

extension AuthorityAnswers {
  func lines(_ language: Language) -> [String] {
    list.map { answer in
      let arguments: [String: Message.Argument] = ["address": answer.address, "end": answer.end]
      return Message("signed.answer", arguments)(language)
    } + (unasked > 0 ? [Message("signed.unasked", ["count": unasked])(language)] : [])
  }
}

extension AuthorityAnswer: DescribedObject {
  static let members: [Member<AuthorityAnswer>] = [
    Member("address", \.address),
    Member("end", \.outcome.word).of {
      .words(["taken", "failed", "page", "unreadable", "unfit", "outdated"])
    },
    Member("reason", \.end, note: "The end, in words."),
  ]
}

extension AuthorityAnswer {
  /// The end of the exchange, in words.
  fileprivate var end: Message {
    switch outcome {
    case .failed(let diagnosis): diagnosis.what
    case .taken, .page, .unreadable, .unfit, .outdated: Message("signed.answer.\(outcome.word)")
    }
  }
}
