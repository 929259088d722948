import CIECard
import CardWork
import Messages

/// `browser status`: lists the registrations of the module, and of this program.
struct BrowserStatus: FunctionWithoutCard {
  static let name = "browser status"

  var of = Registrant.allCases

  func run(in context: RunContext) throws(Failure) -> Result {
    var copies = ModuleCopies()
    let list = try RegistrationList(of) { registration throws(Failure) in
      try registration.read(&copies)
    }
    return Result(list: list, card: Self.cardFinding(in: context))
  }

  /// The reason why the module will refuse the card that is in a reader now, by the certificates that it trusts.
  private static func cardFinding(in context: RunContext) -> DoctorFinding? {
    let imported = TrustFolder.path.flatMap { TrustFolder.store($0, context) }
    let trust = imported.map { TrustStore.italian.merged(with: $0) } ?? .italian
    var conversation = Conversation(source: .reader(.any, wait: .zero))
    conversation.isBriefLook = true
    return ReaderCheck(
      selection: .any, conversation: conversation, context: context,
      vouching: .required(trust, believesSoftwareCards: false, asksPerson: false)
    ).trustFindings().first
  }
}

extension BrowserStatus {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }

  struct Result: FunctionResult {
    let list: RegistrationList
    let card: DoctorFinding?

    static let members: [Member<Result>] =
      Member.all(of: \.list) + [
        .whenPresent(
          "card", \.card,
          note: "The reason why the card that is in a reader will be refused; there only with one.")
      ]

    var failure: Failure? { list.failure }

    func lines(_ language: Language) -> [String] {
      list.lines(language)
        + [card?.what, card?.remedy].compactMap { $0?.asTold(by: "cie-read")(language) }
    }
  }
}

/// `browser remove`: undoes `install`.
struct BrowserRemove: FunctionWithoutCard {
  static let name = "browser remove"

  let from: [Registrant]

  func run(in context: RunContext) throws(Failure) -> RegistrationList {
    try RegistrationList(from) { registration throws(Failure) in try registration.remove() }
  }
}

extension BrowserRemove {
  typealias Result = RegistrationList

  init(from inputs: inout Inputs) throws(Failure) {
    from = try inputs.arguments(
      "from", default: Registrant.allCases, help: "option.browser.from", value: "program")
  }
}
