import CIECard
import CardWork

/// `trust update`, for requests: Italy's trusted list, and those that are stored.
struct UpdateLists: CardFunction {
  typealias Result = TrustUpdate.Result

  static let name = TrustUpdate.name
  static let definition = "update-lists"
  static let served: Served? = Served(
    "Gets the European trusted lists, by which signed files are judged.",
    answer: "The lists, each with the end of its update.", asksNetwork: true)

  init(from inputs: inout Inputs) throws(Failure) {}

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    try TrustUpdate(countries: nil, signers: nil, source: nil).run(in: context)
  }
}
