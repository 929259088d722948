import CIECard
import CardWork
import Messages
import RedirectFlow

/// A check that a login environment can be reached from here.
struct NetworkCheck {
  /// The environment to contact; `nil` for no contact.
  let environment: LoginEnvironment?
  let session: RunContext

  /// Long enough for a slow line, short enough for a waiting person.
  private static let patience = Duration.seconds(15)

  var finding: DoctorFinding {
    guard let environment else {
      return DoctorFinding("network", .unchecked, Message("doctor.network.not-asked"))
    }
    let probe = EnvironmentProbe(environment, timeout: Self.patience)
    let host = environment.identityProvider.origin.description
    defer { session.interruption.forget() }
    do throws(ChannelError) {
      let result = try session.interruption.cancelling({ probe.cancel() }) {
        () throws(ChannelError) in
        Result { () throws(LoginError) in try probe.run() }
      }
      switch result {
      case .success:
        return DoctorFinding("network", .ok, Message("doctor.network.answers", ["host": host]))
      case .failure(let error): return DoctorFinding("network", Diagnosis(error), .warning)
      }
    } catch { return DoctorFinding("network", Diagnosis(error)) }
  }
}
