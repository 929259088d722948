import DocumentSigning
import Messages
import Primitives

/// The answers of the authorities that were asked about one file, each by its address.
struct AuthorityAnswers: Sendable {
  var list: [AuthorityAnswer] = []
  /// Number of addresses that were left out because the budget was spent.
  var unasked = 0

  init() {}

  init(_ service: RevocationService) { (list, unasked) = (service.answers, service.unasked) }

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
