import RedirectFlow
import System

/// Logins of levels 1 and 2, which end in the app.
extension Diagnosis {
  static func ofApp(_ error: LoginError) -> Diagnosis {
    switch error {
    case .needsApp: refused("needs-app")
    case .listener(.timedOut): Diagnosis(.network, "app-timeout", advice: .again)
    case .listener(.tooManyRequests): untrusted("return-guessed")
    case .listener(let error):
      Diagnosis(.internalFailure, "listener-failed", ["detail": error.summary])
    case .qrCode: refused("link-too-long")
    case .appReturn(let problem): untrusted("return-\(problem.name)", key: "return-unusable")
    case .app(let failure): .failed(failure)
    default: Diagnosis(error)
    }
  }

  private static func failed(_ failure: AppFailure) -> Diagnosis {
    switch failure {
    case .cancelledByUser: refused("app-cancelled")
    case .certificateExpired: refused("card-certificate-expired", advice: .newCard)
    case .certificateRevoked: refused("card-certificate-revoked", advice: .newCard)
    case .invalidOperation: refused("app-invalid-operation")
    case .unknown: refused("app-failed")
    case .other(let text): refused("app-failed", ["text": text.display], key: "app-failed-text")
    }
  }
}

extension ReturnListenerError {
  fileprivate var summary: String {
    switch self {
    case .system(let call, let code): "\(call): \(SystemError(code).message)"
    case .random: "random"
    case .timedOut, .cancelled, .ended, .tooManyRequests: "ended"
    }
  }
}

extension ReturnProblem {
  fileprivate var name: String {
    switch self {
    case .url: "malformed"
    case .notHTTPS: "not-https"
    case .foreignHost: "foreign-host"
    case .unknownPage: "unknown-page"
    case .missingParameter: "missing-parameter"
    case .repeatedParameter: "repeated-parameter"
    case .unexpectedParameter: "unexpected-parameter"
    case .malformedParameter: "malformed-parameter"
    case .otherSession: "other-session"
    }
  }
}
