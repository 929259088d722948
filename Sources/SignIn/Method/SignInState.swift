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
  /// The card's PIN is needed.
  case pinRequired(PINRequired)
  /// The person must go on in a browser, or with a phone.
  case browserRequired(BrowserRequired)
  /// The person is asked whether a provider may tell something about them.
  case consentRequired(ConsentRequired)
  /// The person is in.
  case completed(Account)
}

/// A step of a sign-in: what the state hides in its methods.
package typealias SignInStep<Input> =
  @Sendable (Input) async throws(SignInError) -> SignInState

/// One of several providers must be chosen.
public struct ProviderRequired: Sendable {
  /// The choices, in the order of the service.
  public let providers: [Provider]
  /// Pages on which the service explains the choice.
  public let explanations: [Explanation]
  let choosing: SignInStep<Provider>

  package init(
    _ providers: [Provider], explanations: [Explanation] = [],
    choosing: @escaping SignInStep<Provider>
  ) {
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
    return try await choosing(provider)
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

    package init(
      _ identifier: String, name: UntrustedText, isAvailable: Bool = true, entity: String? = nil
    ) {
      self.identifier = identifier
      self.name = name
      self.isAvailable = isAvailable
      self.entity = entity
    }
  }
}

/// The name of the account is needed.
public struct UserNameRequired: Sendable {
  let submitting: SignInStep<String>

  package init(submitting: @escaping SignInStep<String>) { self.submitting = submitting }

  /// Goes on with this name.
  ///
  /// - Throws: `.invalidUserName` for what is no e-mail address, before any server is asked; `.userNotFound`.
  public func submit(_ name: String) async throws(SignInError) -> SignInState {
    try await submitting(name)
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
  let submitting: SignInStep<String>
  let resending: (@Sendable () async throws(SignInError) -> SignInState)?

  package init(
    sentTo: String?, channel: String?, length: Int?, interval: Int? = nil,
    submitting: @escaping SignInStep<String>,
    resending: (@Sendable () async throws(SignInError) -> SignInState)?
  ) {
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
    return try await submitting(text)
  }

  /// Has another code sent; the one before is of no use any more.
  ///
  /// - Throws: `.notOffered` where the way in knows no second code.
  public func resend() async throws(SignInError) -> SignInState {
    guard let resending else { throw SignInError(.notOffered, again: .codeRequired(self)) }
    return try await resending()
  }
}

/// A password is needed.
public struct PasswordRequired: Sendable {
  let submitting: SignInStep<String>

  package init(submitting: @escaping SignInStep<String>) { self.submitting = submitting }

  /// Sends the password.
  ///
  /// - Throws: `.invalidPassword` with this state again.
  public func submit(_ password: consuming Secret) async throws(SignInError) -> SignInState {
    try await submitting(password.withBytes { String(decoding: $0, as: UTF8.self) })
  }
}

/// The card's PIN is needed. The chip has been proved, and the person was shown who gets the certificate.
public struct PINRequired: Sendable {
  /// How many wrong ones the card still takes; `nil` when it does not tell.
  public let triesLeft: Int?
  /// Who gets the certificate, and with it name and fiscal code: to be shown before the PIN is asked for.
  public let presentation: LoginCard.CertificatePresentation?
  let submitting: @Sendable (consuming PIN) async throws(SignInError) -> SignInState

  package init(
    triesLeft: Int?, presentation: LoginCard.CertificatePresentation?,
    submitting: @escaping @Sendable (consuming PIN) async throws(SignInError) -> SignInState
  ) {
    self.triesLeft = triesLeft
    self.presentation = presentation
    self.submitting = submitting
  }

  /// Shows the PIN to the card, once. A wrong one ends the sign-in: nothing shows a second one by itself.
  public func submit(_ pin: consuming PIN) async throws(SignInError) -> SignInState {
    try await submitting(pin)
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
  /// What an app on this machine needs to take over, and where it brings its answer; `nil` where none does.
  public let invitation: AppInvitation?
  let waiting: @Sendable () async throws(SignInError) -> SignInState

  package init(
    _ url: RedirectURL, userCode: String? = nil, until: UTCTime?, invitation: AppInvitation? = nil,
    waiting: @escaping @Sendable () async throws(SignInError) -> SignInState
  ) {
    self.url = url
    self.userCode = userCode.map(UntrustedText.init)
    self.until = until
    self.invitation = invitation
    self.waiting = waiting
  }

  /// Waits until the person is back, or the server knows how it ended.
  ///
  /// - Throws: `.denied`, `.timedOut`, `.cancelled`.
  public func wait() async throws(SignInError) -> SignInState { try await waiting() }
}

/// The person is asked whether a provider may tell something about them.
public struct ConsentRequired: Sendable {
  /// What would be told, and to whom.
  public let request: ConsentRequest
  let answering: SignInStep<Bool>

  package init(_ request: ConsentRequest, answering: @escaping SignInStep<Bool>) {
    self.request = request
    self.answering = answering
  }

  /// Agrees, or does not; whoever cannot ask must say no.
  public func answer(_ isAgreed: Bool) async throws(SignInError) -> SignInState {
    try await answering(isAgreed)
  }
}
