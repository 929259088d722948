/// Person who is signed in at a service.
public struct Account: Sendable, Equatable {
  /// Name of the service in its description.
  public let service: String
  /// Name of the sign-in method in the service description.
  public let method: String
  /// Claims that the provider returned about the person.
  public internal(set) var claims: AccountClaims
  /// Time of the sign-in.
  public let begun: UTCTime
  /// Tokens; `nil` for a method without tokens.
  public internal(set) var tokens: Tokens?

  /// Creates the account of a new sign-in.
  public init(
    service: String, method: String, claims: AccountClaims, begun: UTCTime, tokens: Tokens? = nil
  ) {
    self.service = service
    self.method = method
    self.claims = claims
    self.begun = begun
    self.tokens = tokens
  }

  /// Expiry of the access token; `nil` if the provider gave none.
  public var expires: UTCTime? { tokens?.expires }

  func refreshed(_ tokens: Tokens, _ claims: AccountClaims? = nil) -> Account {
    var account = self
    account.tokens = tokens
    account.claims = claims ?? self.claims
    return account
  }
}

extension Account: Redacted {
  /// Service and method, without personal data.
  public var description: String { "account at \(service) by \(method)" }
}

extension Account {
  /// Response of a token endpoint (RFC 6749 §5.1). Bearer secrets: each lets its holder act as the person.
  public struct Tokens: Sendable, Equatable {
    /// Access token for the service's interfaces.
    public let access: String
    /// Refresh token, if one was issued.
    public internal(set) var refresh: String?
    /// ID token: signed claims of the provider about the person. Verified on receipt, unless
    /// `SignInHooks.IdentityApp.shouldFetch` returned false.
    public internal(set) var identity: String?
    /// Expiry of the access token; `nil` if the response had none.
    public let expires: UTCTime?
    /// Scope of the access token, as the provider wrote it.
    public internal(set) var scope: String?

    /// Creates the tokens of a response.
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
  /// Kinds of tokens present, without values.
  public var description: String {
    "access token" + (refresh == nil ? "" : ", refresh token")
      + (identity == nil ? "" : ", identity token")
  }
}
