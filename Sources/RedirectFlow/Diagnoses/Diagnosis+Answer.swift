internal import Web
internal import Primitives

/// Logins that end once the identity provider has an answer, or that it hands over at a wrong place.
extension Diagnosis {
  static func notLoggedIn(_ sign: LoggedOutSign) -> Diagnosis {
    switch sign {
    case .loginButton:
      refused("service-refused", key: "service-refused-button", advice: Message("expectation.do"))
    case .noCookie: refused("no-session", advice: Message("expectation.do"))
    case .notAsExpected: refused("not-as-expected")
    }
  }

  static func page(_ error: PageError, _ stage: LoginStage) -> Diagnosis {
    let arguments: [String: Message.Argument] = ["stage": stage.rawValue]
    return switch error {
    case .empty: refused("page-empty", arguments, key: "page-unreadable")
    case .tooComplicated: refused("page-too-complicated", arguments)
    case .tooLarge, .tooDeep, .tooManyElements, .tooManyAttributes:
      refused("page-unreadable", arguments)
    }
  }

  static func errorPage(_ number: Int?) -> Diagnosis {
    if let code = number.flatMap({ IdentityProviderCode(rawValue: $0) }) {
      return refused(
        "idp-error-page", ["code": code.name, "meaning": code.meaning],
        key: "idp-error-page-meaning", advice: code.advice)
    }
    guard let number else { return refused("idp-error-page") }
    return refused("idp-error-page", ["code": "nr\(number)"], key: "idp-error-page-code")
  }

  static func receiver(_ problem: ReceiverProblem) -> Diagnosis {
    switch problem {
    case .notWhereTheLoginBegan(let start, let receiver):
      Diagnosis(.untrustedRequest, "receiver-differs", ["receiver": receiver, "start": start])
    case .notTheDestination(let receiver, let destination?):
      untrusted("destination-differs", ["destination": destination, "receiver": receiver])
    case .notTheDestination(let receiver, nil):
      untrusted("destination-differs", ["receiver": receiver], key: "destination-missing")
    }
  }
}
