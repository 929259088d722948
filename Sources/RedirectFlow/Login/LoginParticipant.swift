/// The person's part in a login. What it throws ends the login as `LoginFailure.Reason.host`.
public protocol LoginParticipant: Sendable {
  /// Shows who is about to get the certificate: before the card is opened and its PIN asked for.
  ///
  /// - Returns: whether to go on; `false` cancels the login, and nobody gets anything.
  func allows(_ presentation: LoginCard.CertificatePresentation) async throws -> Bool

  /// Shows what the identity provider is about to tell the service provider.
  ///
  /// - Returns: whether the person agrees. Whoever cannot ask must say `false`.
  func consents(to request: ConsentRequest) async throws -> Bool
}

/// Who looks on while a login runs: on the card actor's thread, in order with the questions to the person.
package protocol LoginObserver: Sendable {
  /// Gets the page at which a headless login came to its end without success, if it came to one. It may hold personal
  /// data and secrets: nobody has to keep it.
  func examine(_ page: EndPage)

  /// Hears of each event as it happens; `LoginSession.events` tells the same to whoever reads at leisure.
  func follow(_ event: LoginEvent)
}

extension LoginObserver {
  /// Forgets it.
  package func examine(_ page: EndPage) {}
}

extension LoginCard {
  /// Who is about to get the certificate, and with it the name and fiscal code of its holder.
  public struct CertificatePresentation: Sendable, Equatable {
    /// The server; from the environment, never from a link.
    public let server: RedirectURL.Origin
    /// What the link says that the login is for. Anybody can have written it.
    public let purpose: UntrustedText?

    /// What a participant is shown; for its own tests.
    public init(server: RedirectURL.Origin, purpose: UntrustedText?) {
      self.server = server
      self.purpose = purpose
    }
  }
}

/// What the identity provider asks to be allowed to tell, or would tell without having asked.
public struct ConsentRequest: Sendable, Equatable {
  /// Who would be told: where the login began or, once there is a response, where that goes.
  public let serviceProvider: RedirectURL.Origin
  /// Who may be told in its place, because the caller allowed it (`LoginConfiguration.allowedReceivers`).
  public let alternatives: [RedirectURL.Origin]
  /// What would be told, as the consent page names it or, where there was none, as the response does.
  public let attributes: [Attribute]

  /// What a participant is asked; for its own tests.
  public init(
    serviceProvider: RedirectURL.Origin, alternatives: [RedirectURL.Origin] = [],
    attributes: [Attribute]
  ) {
    self.serviceProvider = serviceProvider
    self.alternatives = alternatives
    self.attributes = attributes
  }

  /// One of the holder's data.
  public struct Attribute: Sendable, Equatable {
    /// What it is, in the words of the page: "Cognome".
    public let label: String
    /// Its value; personal.
    public let value: String

    /// A label and a value; empty where the page does not show it.
    public init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }
}

extension ConsentRequest: Redacted {
  /// How much is asked for, not what.
  public var description: String {
    "consent to \(attributes.count) attributes for \(serviceProvider)"
  }
}

extension ConsentRequest.Attribute: Redacted {
  /// The label alone.
  public var description: String { label }
}
