import RedirectFlow

/// How a login ends once the identity provider has an answer, or hands the login over where it should not.
extension Diagnosis {
  static func ofAnswer(_ error: LoginError) -> Diagnosis {
    switch error {
    case .refusedByIdentityProvider(let status): .notGranted(status)
    case .notLoggedIn(.loginButton):
      refused("service-refused", key: "service-refused-button", advice: Message("expectation.do"))
    case .notLoggedIn(.noCookie): refused("no-session", advice: Message("expectation.do"))
    case .notLoggedIn(.notAsExpected): refused("not-as-expected")
    case .receiver(let problem): .receiver(problem)
    case .response(let problem): refused("response-unreadable", ["detail": problem.detail])
    case .consentUnlisted(let origin): refused("consent-unlisted", ["origin": origin])
    case .handOffElsewhere(let origin): untrusted("hand-off-elsewhere", ["origin": origin])
    default: Diagnosis(error)
    }
  }

  private static func notGranted(_ status: SAMLStatus) -> Diagnosis {
    guard let number = status.errorNumber, let code = IdentityProviderCode(rawValue: number),
      code != .success
    else { return refused("service-refused", key: "service-refused-saml") }
    return refused(
      code.name, ["code": code.name, "meaning": code.meaning], key: "not-granted",
      advice: code.advice)
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

  private static func receiver(_ problem: ReceiverProblem) -> Diagnosis {
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

extension SAMLProblem {
  fileprivate var detail: String {
    switch self {
    case .notBase64: "base64"
    case .notXML: "XML"
    case .documentType: "DOCTYPE"
    case .tooComplex, .tooLarge: "too large"
    case .notAResponse: "no Response"
    case .noStatus: "no Status"
    }
  }
}
