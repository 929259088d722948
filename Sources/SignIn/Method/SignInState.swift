public import CIECard
public import RedirectFlow

/// Where a sign-in stands. Each state offers only the steps that are legal next; a step answers with the next state, or
/// with an error that carries the state in which it may be tried again.
public enum SignInState: Sendable {
  /// One of several providers must be chosen: a bank, a provider of SPID.
  case providerRequired(ProviderRequired)
  /// The name of the account is needed: an e-mail address.
  case userNameRequired(UserNameRequired)
  /// A code was sent to the person.
  case codeRequired(CodeRequired)
  /// A password is needed.
  case passwordRequired(PasswordRequired)
  /// The person must go on in a browser, or with a phone.
  case browserRequired(BrowserRequired)
  /// The person is in.
  case completed(Account)
}

/// A step of a sign-in, which blocks; the states' methods give it a thread.
package typealias SignInStep<Input> =
  @Sendable (Input) throws(SignInError) -> SignInState

extension SignInState {
  /// One of several providers must be chosen.
  public struct ProviderRequired: Sendable {
    /// The choices, in the order of the service.
    public let providers: [Provider]
    /// Pages on which the service explains the choice.
    public let explanations: [Explanation]
    private let context: SignInContext
    private let choosing: SignInStep<Provider>

    package init(
      _ context: SignInContext, _ providers: [Provider], explanations: [Explanation] = [],
      choosing: @escaping SignInStep<Provider>
    ) {
      self.context = context
      self.providers = providers
      self.explanations = explanations
      self.choosing = choosing
    }

    /// Goes on with one of them.
    ///
    /// - Throws: `.unknownProvider` for one that is not of the list or not at work.
    public func choose(_ identifier: String) async throws(SignInError) -> SignInState {
      guard let provider = providers.first(where: { $0.identifier == identifier }),
        provider.isAvailable
      else { throw SignInError(.unknownProvider, again: .providerRequired(self)) }
      return try await context.run { () throws(SignInError) in try choosing(provider) }
    }

    /// A page that explains something.
    public struct Explanation: Sendable, Hashable {
      /// What it is about. Anybody can have written it.
      public let title: UntrustedText
      /// Where it is, `https`.
      public let url: RedirectURL

      package init(_ title: UntrustedText, at url: RedirectURL) {
        self.title = title
        self.url = url
      }
    }

    /// Who can identify the person.
    public struct Provider: Sendable, Hashable {
      /// By what it is chosen, such as `posteid`.
      public let identifier: String
      /// Its name for people. Anybody can have written it.
      public let name: UntrustedText
      /// Whether it works at the moment.
      public let isAvailable: Bool
      /// What its own protocol calls it, where that is something else.
      package let entity: String?
      /// Whether the choice is a way of being verified that is known here: `identifier` says which, and the service has no
      /// name for people.
      package let isWay: Bool

      package init(
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
  /// The name of the account is needed.
  public struct UserNameRequired: Sendable {
    private let context: SignInContext
    private let submitting: SignInStep<String>

    package init(_ context: SignInContext, submitting: @escaping SignInStep<String>) {
      self.context = context
      self.submitting = submitting
    }

    /// Goes on with this name.
    ///
    /// - Throws: `.invalidUserName` for what is no e-mail address, before any server is asked; `.userNotFound`.
    public func submit(_ name: String) async throws(SignInError) -> SignInState {
      try await context.run { () throws(SignInError) in try submitting(name) }
    }
  }

  /// A code was sent to the person.
  public struct CodeRequired: Sendable {
    /// Where to, as the server shows it: `n***@example.invalid`. Anybody can have written it.
    public let sentTo: UntrustedText?
    /// By which way, in the server's word: `email`, `sms`.
    public let channel: UntrustedText?
    /// How many characters it has; `nil` where the server does not say.
    public let length: Int?
    /// How long to wait before it may be sent again, in seconds.
    public let interval: Int?
    private let context: SignInContext
    private let submitting: SignInStep<String>
    private let resending: (@Sendable () throws(SignInError) -> SignInState)?

    package init(
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

    /// Whether another code can be sent.
    public var canResend: Bool { resending != nil }

    /// Sends the code that the person has read.
    ///
    /// - Throws: `.invalidCode` with this state again: for a wrong one, and for one of another length, which is not sent.
    public func submit(_ code: consuming Secret) async throws(SignInError) -> SignInState {
      let text = code.withBytes { String(decoding: $0, as: UTF8.self) }
      let isOfLength = length.map { $0 == text.unicodeScalars.count } ?? !text.isEmpty
      guard isOfLength else { throw SignInError(.invalidCode, again: .codeRequired(self)) }
      return try await context.run { () throws(SignInError) in try submitting(text) }
    }

    /// Has another code sent; the one before is of no use any more.
    ///
    /// - Throws: `.notOffered` where the way in knows no second code.
    public func resend() async throws(SignInError) -> SignInState {
      guard let resending else { throw SignInError(.notOffered, again: .codeRequired(self)) }
      return try await context.run(resending)
    }
  }

  /// A password is needed.
  public struct PasswordRequired: Sendable {
    private let context: SignInContext
    private let submitting: SignInStep<String>

    package init(_ context: SignInContext, submitting: @escaping SignInStep<String>) {
      self.context = context
      self.submitting = submitting
    }

    /// Sends the password.
    ///
    /// - Throws: `.invalidPassword` with this state again.
    public func submit(_ password: consuming Secret) async throws(SignInError) -> SignInState {
      let text = password.withBytes { String(decoding: $0, as: UTF8.self) }
      return try await context.run { () throws(SignInError) in try submitting(text) }
    }
  }

  /// The person must go on in a browser, or with a phone.
  public struct BrowserRequired: Sendable {
    /// Where; to be opened by the person or shown as a QR code. It belongs to this sign-in.
    public let url: RedirectURL
    /// A code to be compared or typed there, where the way in has one.
    public let userCode: UntrustedText?
    /// Until when the person can go on there.
    public let until: UTCTime?
    /// Where the browser comes back to; `nil` where it does not.
    package let door: BrowserReturn?
    private let context: SignInContext
    private let waiting: @Sendable () throws(SignInError) -> SignInState

    package init(
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

    /// Whether the browser ends at an address that must be brought here, by `bring`: one of the service's own servers, or
    /// of a scheme that the system hands to an app.
    public var awaitsAddress: Bool { door?.awaitsAddress ?? false }

    /// Brings the address at which the browser has ended, as it stands in its address bar; `wait`, which must be waiting or
    /// is called then, goes on with it.
    ///
    /// - Throws: `.returnAddress` for another address: another one can be brought. `.notOffered` where none is awaited.
    public func bring(_ address: String) throws(SignInError) {
      guard let door, awaitsAddress else { throw SignInError(.notOffered) }
      try door.bring(address)
    }

    /// Waits until the person is back, or the server knows how it ended.
    ///
    /// - Throws: `.denied`, `.timedOut`, `.cancelled`.
    public func wait() async throws(SignInError) -> SignInState {
      try await context.run(waiting)
    }
  }
}
