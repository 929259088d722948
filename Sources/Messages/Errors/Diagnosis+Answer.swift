import CIECard
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

/// What opens the travel document, and what keeps it shut.
extension Diagnosis {
  static func wrongAccess(_ kind: AccessCode.Kind, _ tries: Int?) -> Diagnosis {
    let name = "wrong-\(kind.rawValue)"
    let advice = Message("wrong-access.\(kind.rawValue).do")
    guard let tries else {
      return Diagnosis(
        .wrongCode, name, ["code": kind.text], key: "wrong-access", advice: advice)
    }
    return Diagnosis(
      .wrongCode, name, ["code": kind.text, "count": tries], key: "wrong-access-tries",
      advice: advice)
  }

  /// The last step of PACE failed without saying of what.
  static func refusedAccess(_ kind: AccessCode.Kind, _ status: StatusWord) -> Diagnosis {
    Diagnosis(
      .wrongCode, "access-refused", ["code": kind.text, "status": status],
      advice: Message(kind.isBlocking ? "access-refused-tries.do" : "access-refused-code.do"))
  }
}

extension AccessCode.Kind {
  /// In the middle of a sentence.
  var text: Message { Message("access.\(rawValue)") }
}
