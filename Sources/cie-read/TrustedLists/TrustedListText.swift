import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

extension TrustedListOutcome.State: Described {
  func line(at time: UTCTime, _ language: Language) -> String {
    guard let facts else { return Message("list-state.missing", ["list": territory])(language) }
    let values: [String: Message.Argument] = [
      "list": territory, "number": String(facts.sequenceNumber), "date": facts.issued,
      "services": facts.services.count,
    ]
    let line = Message("list-state.\(word)", values)(language)
    return facts.isOld(at: time) ? line + ". " + Message("list-state.old")(language) : line
  }
}

extension TrustedListOutcome.Service: Described {}
