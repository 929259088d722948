import CIECard
import CardWork
import Messages
import Primitives
import RedirectFlow

/// The link of a login, judged without the card, for a page that asks for the PIN only after it: by the host and the
/// purpose a person sees what the PIN is for.
struct CheckLink: CardFunction {
  typealias Result = LoginReceiver

  static let name = "login"
  static let definition = "check-link"
  static let served: Served? = Served(
    "Judges the link of a login without the card, before a person is asked for the PIN.",
    answer: "The link is one for a login with the card.")

  private let receiver: LoginReceiver

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> LoginReceiver {
    receiver
  }
}

extension CheckLink {
  init(from inputs: inout Inputs) throws(Failure) {
    let link = try inputs.link()
    let service = try inputs.service()
    guard !link.isEmpty else { throw .found(Diagnosis(.usage, "no-start")) }
    receiver = try LoginReceiver(of: link, in: service.environment)
  }
}

extension Inputs {
  /// The link by which a login page hands over to the card; empty without one.
  mutating func link() throws(Failure) -> String {
    try requestText(
      "link",
      Offer(
        "The link by which the login page hands over to the card.",
        Schema.text.with("maxLength", .int(8192)), isRequired: true)) ?? ""
  }
}

/// The server that gets the certificate of the card, and the purpose according to the link.
struct LoginReceiver: FunctionResult {
  let server: String
  let purpose: UntrustedText?

  /// Judges a link.
  ///
  /// - Throws: those errors of a login that the link alone causes.
  init(of link: String, in environment: LoginEnvironment) throws(Failure) {
    let handOff = try mapError(try HandOff(link, in: environment)) {
      Failure(LoginError(.handOff($0)))
    }
    switch handOff {
    case .card(let handOff):
      server = environment.identityProvider.origin.description
      purpose = handOff.operationText
    case .app, .hybrid: throw Failure(LoginError(.needsApp))
    }
  }

  static let members: [Member<LoginReceiver>] = [
    Member("server", \.server, note: "It gets the certificate of the card."),
    .whenPresent(
      "purpose", { $0.purpose?.display }, note: "According to the link; no decision depends on it."
    ),
  ]

  func lines(_ language: Language) -> [String] { [server] }
}
