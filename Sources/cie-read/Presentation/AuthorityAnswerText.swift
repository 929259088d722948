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

  func members(_ language: Language) -> [JSON.Member] {
    let rows = list.map { answer -> [JSON.Member] in
      [
        .init("address", answer.address), .init("end", answer.outcome.word),
        .init("reason", answer.end(language)),
      ]
    }
    return [.init("answers", objects: rows), .init("unasked", unasked)]
  }
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
