import CIECard
import CardWork
import Messages
import Primitives

/// `doctor`, for requests.
struct ServedDoctor: CardFunction {
  typealias Result = CheckupResult

  static let name = "doctor"
  static let served: Served? = Served(
    "Checks what the program needs.", answer: "The findings; a problem is an error.",
    asksNetwork: true)

  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CheckupResult {
    service.checkup(of: card, in: context).result()
  }
}

extension ServedDoctor {
  init(from inputs: inout Inputs) throws(Failure) { service = try inputs.service() }
}

/// `doctor --report`, for requests.
struct ServedReport: CardFunction {
  typealias Result = CheckupResult

  static let name = "doctor"
  static let definition = "report"
  static let served: Served? = Served(
    "A report for the makers of the program, without personal data: it asks the card about a hundred questions.",
    answer: "The findings, and the report as a text.", asksNetwork: true)

  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CheckupResult {
    let checkup = service.checkup(of: card, in: context)
    var result = checkup.result()
    let (text, card) = try checkup.report(can: nil, pin: nil, vouching: service.access.vouching)
    result.add(card, report: text)
    return result
  }
}

extension ServedReport {
  init(from inputs: inout Inputs) throws(Failure) { service = try inputs.service() }
}

extension ServiceTerms {
  fileprivate func checkup(of card: Conversation, in context: RunContext) -> Checkup {
    var checkup = Checkup(
      conversation: card, anchors: trust, vouching: access.vouching, in: context)
    // No request asks for it.
    checkup.findings.removeAll { $0.name == "network" }
    for index in checkup.findings.indices { checkup.findings[index].speaker = speaker }
    return checkup
  }
}
