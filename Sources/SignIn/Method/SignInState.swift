/// State of a sign-in. Each state offers only the steps that are legal next; a step returns the next state, or throws
/// an error with the state in which to try again.
public indirect enum SignInState: Sendable {
  /// The person must choose a provider: a bank, a provider of SPID.
  case providerRequired(ProviderRequired)
  /// The account's name is required: an e-mail address.
  case userNameRequired(UserNameRequired)
  /// A code was sent to the person.
  case codeRequired(CodeRequired)
  /// A password is required.
  case passwordRequired(PasswordRequired)
  /// The person must continue in a browser, or on a phone.
  case browserRequired(BrowserRequired)
  /// The person is signed in.
  case completed(Account)
}

/// Blocking step of a sign-in; the states' methods run it on a dedicated thread.
typealias SignInStep<Input> =
  @Sendable (Input) throws(SignInError) -> SignInState

extension SignInState {
  /// State in which the person must choose a provider.
  public struct ProviderRequired: Sendable {
    /// Choices, in the order of the service.
    public let providers: [Provider]
    /// Pages on which the service explains the choice.
    public let explanations: [Explanation]
    let context: SignInContext
    let choosing: SignInStep<Provider>

    /// Continues with one of the choices.
    ///
    /// - Throws: `.unknownProvider` if it is not on the list, or not available.
    public func choose(_ identifier: String) async throws(SignInError) -> SignInState {
      guard let provider = providers.first(where: { $0.identifier == identifier }),
        provider.isAvailable
      else { throw SignInError(.unknownProvider, again: .providerRequired(self)) }
      return try await context.run { () throws(SignInError) in try choosing(provider) }
    }

    /// Page that explains a choice.
    public struct Explanation: Sendable, Hashable {
      /// Title. Untrusted text.
      public let title: UntrustedText
      /// Address, `https`.
      public let url: RedirectURL
    }

    /// Provider that can identify the person.
    public struct Provider: Sendable, Hashable {
      /// Identifier of the choice, such as `posteid`.
      public let identifier: String
      /// Name for people. Untrusted text.
      public let name: UntrustedText
      /// True if it is available at the moment.
      public let isAvailable: Bool
      /// Entity identifier in its own protocol, if different.
      let entity: String?
      /// True if the choice is a verification method that is known here: `identifier` names it, and the service has no
      /// name for people.
      package let isWay: Bool

      init(
        _ identifier: String, name: UntrustedText, isAvailable: Bool = true, entity: String? = nil,
        isWay: Bool = false
      ) {
        self.identifier = identifier
        self.name = name
        self.isAvailable = isAvailable
        self.entity = entity
        self.isWay = isWay
      }
    }
  }
}

extension SignInState {
  /// State in which the account's name is required.
  public struct UserNameRequired: Sendable {
    let context: SignInContext
    let submitting: SignInStep<String>

    /// Continues with this name.
    ///
    /// - Throws: `.invalidUserName` for text that is not an e-mail address, before any request; `.userNotFound`.
    public func submit(_ name: String) async throws(SignInError) -> SignInState {
      try await context.run { () throws(SignInError) in try submitting(name) }
    }
  }

  /// State in which a code was sent to the person.
  public struct CodeRequired: Sendable {
    /// Masked recipient, as the server shows it: `n***@example.invalid`. Untrusted text.
    public let sentTo: UntrustedText?
    /// Channel, in the server's word: `email`, `sms`.
    public let channel: UntrustedText?
    /// Number of characters of the code; `nil` if the server does not say.
    public let length: Int?
    /// Time before it may be sent again, in seconds.
    public let interval: Int?
    private let context: SignInContext
    private let submitting: SignInStep<String>
    private let resending: (@Sendable () throws(SignInError) -> SignInState)?

    init(
      _ context: SignInContext, sentTo: String?, channel: String?, length: Int?,
      interval: Int? = nil,
      submitting: @escaping SignInStep<String>,
      resending: (@Sendable () throws(SignInError) -> SignInState)?
    ) {
      self.context = context
      self.sentTo = sentTo.map(UntrustedText.init)
      self.channel = channel.map(UntrustedText.init)
      self.length = length
      self.interval = interval
      self.submitting = submitting
      self.resending = resending
    }

    /// True if another code can be sent.
    public var canResend: Bool { resending != nil }

    /// Submits the code that the person has read.
    ///
    /// - Throws: `.invalidCode` with this state again: for a wrong code, and for one of another length, which is not
    ///   sent.
    public func submit(_ code: consuming Secret) async throws(SignInError) -> SignInState {
      let text = code.withBytes { String(decoding: $0, as: UTF8.self) }
      let isOfLength = length.map { $0 == text.unicodeScalars.count } ?? !text.isEmpty
      guard isOfLength else { throw SignInError(.invalidCode, again: .codeRequired(self)) }
      return try await context.run { () throws(SignInError) in try submitting(text) }
    }

    /// Requests another code; the earlier one is no longer valid.
    ///
    /// - Throws: `.notOffered` if the method cannot resend codes.
    public func resend() async throws(SignInError) -> SignInState {
      guard let resending else { throw SignInError(.notOffered, again: .codeRequired(self)) }
      return try await context.run(resending)
    }
  }

  /// State in which a password is required.
  public struct PasswordRequired: Sendable {
    let context: SignInContext
    let submitting: SignInStep<String>

    /// Submits the password.
    ///
    /// - Throws: `.invalidPassword` with this state again.
    public func submit(_ password: consuming Secret) async throws(SignInError) -> SignInState {
      let text = password.withBytes { String(decoding: $0, as: UTF8.self) }
      return try await context.run { () throws(SignInError) in try submitting(text) }
    }
  }

  /// State in which the person must continue in a browser, or on a phone.
  public struct BrowserRequired: Sendable {
    /// Address to open or to show as a QR code. It belongs to this sign-in.
    public let url: RedirectURL
    /// User code to compare or type there, if the method has one.
    public let userCode: UntrustedText?
    /// Time until which the person can continue there.
    public let until: UTCTime?
    /// Return of the browser; `nil` if it does not return.
    package let door: BrowserReturn?
    private let context: SignInContext
    private let waiting: @Sendable () throws(SignInError) -> SignInState

    init(
      _ context: SignInContext, _ url: RedirectURL, userCode: String? = nil, until: UTCTime?,
      door: BrowserReturn? = nil,
      waiting: @escaping @Sendable () throws(SignInError) -> SignInState
    ) {
      self.context = context
      self.url = url
      self.userCode = userCode.map(UntrustedText.init)
      self.until = until
      self.door = door
      self.waiting = waiting
    }

    /// True if the browser ends at an address that must be submitted by `bring`: one of the service's own servers, or
    /// of a scheme that the system hands to an app.
    public var awaitsAddress: Bool { door?.awaitsAddress ?? false }

    /// Submits the address at which the browser has ended, as it stands in its address bar; a running or later `wait`
    /// continues with it.
    ///
    /// - Throws: `.returnAddress` for another address: another one can be submitted. `.notOffered` if no address is
    ///   awaited.
    public func bring(_ address: String) throws(SignInError) {
      guard let door, awaitsAddress else { throw SignInError(.notOffered) }
      try door.bring(address)
    }

    /// Waits until the person is back, or the server reports the end.
    ///
    /// - Throws: `.denied`, `.timedOut`, `.cancelled`.
    public func wait() async throws(SignInError) -> SignInState {
      try await context.run(waiting)
    }
  }
}
