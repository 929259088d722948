import CIECard
import CardWork
import Messages

extension RunContext {
  /// The failure of certificates that cannot be trusted; a clock that is wrong, where it is the cause.
  func failure(for error: TrustStore.LoadingError) -> Failure {
    guard case .masterList(_, .notValid(let signer)) = error,
      let problem = present.problem(issued: [signer.notBefore])
    else { return .trustStore(error) }
    return .found(problem)
  }
}

extension CommandOutcome {
  /// The same, with a clock that is wrong in place of the certificate of a server that is not valid yet by it.
  func heeding(_ present: PresentTime) -> CommandOutcome {
    guard let failure, Self.earlyCertificates.contains(Diagnosis(failure).name),
      let problem = present.problem()
    else { return self }
    var outcome = self
    outcome.failure = .found(problem)
    return outcome
  }

  private static let earlyCertificates = [
    "server-certificate-not-yet-valid", "proxy-certificate-not-yet-valid",
  ]
}
