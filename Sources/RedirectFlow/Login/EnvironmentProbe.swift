/// Checks that the identity provider of an environment answers: one request to its base address, with the environment's
/// own trust and the machine's proxy, as a login makes them.
package struct EnvironmentProbe: Sendable {
  private let configuration: LoginConfiguration
  private let cancellation = LoginCancellation()

  package init(_ environment: LoginEnvironment, timeout: Duration) {
    var configuration = LoginConfiguration(environment)
    configuration.timeout = timeout
    self.configuration = configuration
  }

  /// Ends the wait, from any thread.
  package func cancel() { cancellation.cancel() }

  package func run() throws(LoginError) {
    let url = configuration.environment.identityProvider.description
    try LoginError.at(.identityProvider) { () throws(HTTPError) in
      let client = try HTTPClient(configuration.httpSettings(cancellation))
      _ = try client.send(HTTPRequest(url: url, method: .get))
    }
  }
}
