import CIECard
import CardWork
import Messages
import Primitives
import RedirectFlow

/// `login` with a link, for requests.
struct ServedLogin: CardFunction {
  typealias Result = CompletedLogin

  static let name = "login"
  static let served: Served? = Served(
    "Completes a login that a browser has begun.",
    answer: "The address with which that browser goes on: it is worth the login.",
    asksNetwork: true)

  private let pin: CodeInput
  private let link: String
  private let terms: HolderTerms
  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CompletedLogin {
    try LoginJob(
      settings: LoginSettings(.link(link), LoginConfiguration(service.environment)),
      pin: try pin.held(in: context), access: try terms.access(in: context)
    ).run(on: card, in: context)
  }
}

extension ServedLogin {
  init(from inputs: inout Inputs) throws(Failure) {
    pin = try inputs.code(.pin, http: .pin)
    link = try inputs.link()
    terms = try inputs.part()
    service = try inputs.service()
    guard !link.isEmpty else { throw .found(Diagnosis(.usage, "no-start")) }
  }
}

/// `login` in a window of a browser, in which a person logs in with the card, for requests.
struct OpenBrowser: CardFunction {
  typealias Result = CompletedLogin

  static let name = "login"
  static let definition = "open-browser"
  static let served: Served? = Served(
    "Opens a window of the installed browser, in which a person logs in with the card.",
    answer: "The person is logged in, and continues in that window.", asksNetwork: true)

  private let page: RedirectURL
  private let browser: InstalledBrowser
  private let pin: CodeInput
  private let terms: HolderTerms
  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> CompletedLogin {
    try LoginJob(
      settings: LoginSettings(.page(page), LoginConfiguration(service.environment)),
      pin: try pin.held(in: context), access: try terms.access(in: context), browser: browser
    ).run(on: card, in: context)
  }
}

extension OpenBrowser {
  init(from inputs: inout Inputs) throws(Failure) {
    let address = try inputs.requestText(
      "address", Offer("The page at which the person begins.", isRequired: true))
    pin = try inputs.code(.pin, http: .pin)
    terms = try inputs.part()
    service = try inputs.service()
    guard let address else { throw .found(Diagnosis(.usage, "no-start")) }
    page = try mapError(try RedirectURL(asBrowsersRead: address)) {
      Failure.login(LoginError(.navigation(.url($0), .serviceProvider)))
    }
    browser = try InstalledBrowser.required()
  }
}
