package import Primitives

/// Logins of levels 1 and 2, which end in the app.
extension Diagnosis {
  package static func listener(_ error: ReturnListenerError) -> Diagnosis {
    switch error {
    case .timedOut: Diagnosis(.network, "app-timeout", advice: .again)
    case .system, .random, .cancelled, .ended:
      Diagnosis(.internalFailure, "listener-failed", ["detail": error.summary])
    }
  }

  package static func failed(_ failure: AppFailure) -> Diagnosis {
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
    case .timedOut, .cancelled, .ended: "ended"
    }
  }
}
