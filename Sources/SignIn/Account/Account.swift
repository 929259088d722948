public import CIECard
public import RedirectFlow

/// Somebody who has signed in at a service.
public struct Account: Sendable, Equatable {
  /// The service, as its description names it.
  public let service: String
  /// The way in that was taken, by the name of the description.
  public let method: String
  /// What the provider tells of the person.
  public let claims: AccountClaims
  /// When the sign-in was done.
  public let begun: UTCTime
  /// The tokens; `nil` where the way in has none.
  public let tokens: Tokens?

  /// Somebody who has just signed in.
  public init(
    service: String, method: String, claims: AccountClaims, begun: UTCTime, tokens: Tokens? = nil
  ) {
    self.service = service
    self.method = method
    self.claims = claims
    self.begun = begun
    self.tokens = tokens
  }

  /// Until when the account is of use without being refreshed; `nil` where nobody says.
  public var expires: UTCTime? { tokens?.expires }

  /// The same account after a refresh.
  package func refreshed(_ tokens: Tokens, _ claims: AccountClaims? = nil) -> Account {
    Account(
      service: service, method: method, claims: claims ?? self.claims, begun: begun, tokens: tokens)
  }
}

extension Account: Redacted {
  /// Where and how, not who.
  public var description: String { "account at \(service) by \(method)" }
}

extension Account {
  /// What a token endpoint gave (RFC 6749 §5.1). Secrets: whoever has them is the person.
  public struct Tokens: Sendable, Equatable {
    /// For the service's interfaces.
    public let access: String
    /// For new tokens, where there is one.
    public let refresh: String?
    /// What the provider says of the person, signed; checked when it came.
    public let identity: String?
    /// When the access token ends; `nil` where nobody says.
    public let expires: UTCTime?
    /// What it is for, in the provider's words.
    public let scope: String?

    /// Tokens of an answer.
    public init(
      access: String, refresh: String?, identity: String?, expires: UTCTime?, scope: String?
    ) {
      self.access = access
      self.refresh = refresh
      self.identity = identity
      self.expires = expires
      self.scope = scope
    }
  }
}

extension Account.Tokens: Redacted {
  /// Which there are.
  public var description: String {
    "access token" + (refresh == nil ? "" : ", refresh token")
      + (identity == nil ? "" : ", identity token")
  }
}
