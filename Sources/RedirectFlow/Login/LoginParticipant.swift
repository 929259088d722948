/// The person's part in a login. An error thrown here ends the login as `LoginError.Reason.cancelled`, and is in
/// `LoginError.thrown` unchanged.
public protocol LoginParticipant: Sendable {
  /// Shows the receiver of the certificate, before the card is opened and its PIN asked for.
  ///
  /// - Returns: `true` to continue; `false` cancels the login, and nothing is sent.
  func allows(
    _ presentation: LoginCard.CertificatePresentation
  ) async throws -> Bool

  /// Shows the attributes that the identity provider is about to release to the service provider.
  ///
  /// - Returns: `true` if the person agrees. A participant that cannot ask must return `false`.
  func consents(to request: ConsentRequest) async throws -> Bool

  /// Shows an unannounced receiver of the answer, before it is sent.
  ///
  /// - Returns: `true` if the person agrees; `false`, the default, ends the login.
  func accepts(_ receiver: UnannouncedReceiver) async throws -> Bool
}

extension LoginParticipant {
  /// Accepts only the receivers in `LoginConfiguration.allowedReceivers`.
  public func accepts(
    _ receiver: UnannouncedReceiver
  ) async throws -> Bool { false }
}

/// An observer of a running login: on the blocking actor's thread, in order with the questions to the person.
package protocol LoginObserver: Sendable {
  /// Gets the page at which a headless login ended without success, if it came to one. It may hold personal data and
  /// secrets, and may be dropped.
  func examine(_ page: EndPage)

  /// Gets each event as it happens; `LoginSession.events` has the same events for an asynchronous reader.
  func follow(_ event: LoginEvent)
}

extension LoginObserver {
  package func examine(_ page: EndPage) {}
}

extension LoginCard {
  /// The receiver of the certificate, and with it of the name and fiscal code of its holder.
  public struct CertificatePresentation: Sendable, Equatable {
    /// The server; from the environment, never from a link.
    public let server: RedirectURL.Origin
    /// The purpose of the login, according to the link. Any sender can have written it.
    public let purpose: UntrustedText?

    /// The argument for a participant; for its own tests.
    public init(server: RedirectURL.Origin, purpose: UntrustedText?) {
      self.server = server
      self.purpose = purpose
    }
  }
}

/// A receiver of the identity provider's answer that is neither where the login began nor allowed by the caller.
public struct UnannouncedReceiver: Sendable, Equatable {
  /// The receiver.
  public let receiver: RedirectURL.Origin
  /// The origin at which the login began.
  public let start: RedirectURL.Origin

  /// The argument for a participant; for its own tests.
  public init(receiver: RedirectURL.Origin, start: RedirectURL.Origin) {
    self.receiver = receiver
    self.start = start
  }

  var refusal: LoginError { LoginError(.receiver(.notWhereTheLoginBegan(start, receiver))) }
}

/// The data that the identity provider asks to release, or would release without asking.
public struct ConsentRequest: Sendable, Equatable {
  /// The receiver: the origin at which the login began or, once there is a response, the origin to which that goes.
  public let serviceProvider: RedirectURL.Origin
  /// Other receivers that the caller allowed (`LoginConfiguration.allowedReceivers`).
  public let alternatives: [RedirectURL.Origin]
  /// The attributes, as the consent page names them or, without such a page, as the response does.
  public let attributes: [Attribute]

  /// The argument for a participant; for its own tests.
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
    /// Its name, in the words of the page: "Cognome".
    public let label: String
    /// Its value; personal.
    public let value: String

    /// A label and a value; empty if the page does not show it.
    public init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }
}

extension ConsentRequest: Redacted {
  /// The number of attributes, without their contents.
  public var description: String {
    "consent to \(attributes.count) attributes for \(serviceProvider)"
  }
}

extension ConsentRequest.Attribute: Redacted {
  /// The label alone.
  public var description: String { label }
}

/// Brings a hand-off to the identity provider's app and its answer back: the part that only the surrounding program can
/// do.
public protocol AppAccess: Sendable {
  /// Gives the link to the person or the app, on the blocking actor's thread.
  ///
  /// - Returns: the URL that came back, if this call brings it; `nil` to wait until it arrives at
  ///   `invitation.returnAddress`.
  /// - Throws: an error that ends the login as `LoginError.Reason.cancelled`; `LoginError.thrown` has it unchanged.
  func handOver(_ invitation: AppInvitation) throws -> String?
}

/// The data with which the app continues a login. It is no secret of the person, but a secret of the login.
public struct AppInvitation: Sendable, Equatable {
  /// The page's own link, as a phone's camera or browser takes it.
  public let link: RedirectURL
  /// The link for an app on this machine, with the scheme to call back by.
  public let appLink: String
  /// The link as a QR code.
  public let code: RedirectURL.QRCode
  /// The address for the returned URL, in a parameter `url`.
  public let returnAddress: RedirectURL
  /// The purpose, according to the link. Any sender can have written it.
  public let purpose: UntrustedText?
}
