import CardWork
import Messages
import Primitives

/// `browser …`, for requests: the module in browsers, and the program for links.
struct Register: CardFunction {
  static let name = "browser status"
  static let definition = "register"
  static let served: Served? = Served(
    "Registers the module in browsers, or the program for links, undoes it, or looks.",
    answer: "What is registered.", asksNetwork: true,
    commands: [BrowserInstall.name, BrowserRemove.name, BrowserStatus.name])

  private let what: Registrant
  private let isWanted: Bool?

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    switch isWanted {
    case nil: .looked(try BrowserStatus(of: [what]).run(in: context))
    case true?: .installed(try BrowserInstall(to: [what]).run(in: context))
    case false?: .removed(try BrowserRemove(from: [what]).run(in: context))
    }
  }
}

extension Register {
  init(from inputs: inout Inputs) throws(Failure) {
    let registrant = try inputs.requestText(
      "what",
      Offer(
        "A browser, or the desktop for links.", .choice(Registrant.usual.map(\.rawValue)),
        isRequired: true))
    isWanted = try inputs.requestFlag("on", "Missing: only look.")
    guard let what = registrant.flatMap(Registrant.init(rawValue:)),
      Registrant.usual.contains(what)
    else { throw Request.unfit("what") }
    self.what = what
  }

  enum Result: FunctionResult {
    case looked(BrowserStatus.Result)
    case installed(BrowserInstall.Result)
    case removed(BrowserRemove.Result)

    static let members: [Member<Result>] =
      [.whenPresent("module") { $0.installation.map { installation in installation.module } }]
      + Member.all(of: \.list) + [.whenPresent("card", \.card)]

    private var installation: BrowserInstall.Result? {
      if case .installed(let result) = self { result } else { nil }
    }

    private var card: DoctorFinding? {
      if case .looked(let result) = self { result.card } else { nil }
    }

    private var list: RegistrationList {
      switch self {
      case .looked(let result): result.list
      case .installed(let result): result.list
      case .removed(let list): list
      }
    }

    var form: ResultForm {
      var form = ResultForm()
      form.command =
        switch self {
        case .looked: BrowserStatus.name
        case .installed: BrowserInstall.name
        case .removed: BrowserRemove.name
        }
      return form
    }

    var failure: Failure? { list.failure }

    func lines(_ language: Language) -> [String] { list.lines(language) }
  }
}
