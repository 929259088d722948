/// Stores an account on this machine between runs of a program, and the sign-outs that its provider has not received
/// because the network was down.
///
/// ```swift
/// let keeper = AccountKeeper(folder: AccountKeeper.usualFolder ?? "session")
/// try keeper.keep(account, of: service)
/// let token = try await keeper.refresh().tokens?.access
/// ```
public struct AccountKeeper: Sendable {
  private let folder: String
  private let store: SessionStore
  private let context: @Sendable (SignedIn) throws(SignInError) -> SignInContext

  /// Uses a folder, which is created for its owner alone when there is something to store.
  ///
  /// - Parameters:
  ///   - folder: its path.
  ///   - timeout: maximum time for one response of a provider.
  ///   - version: version of the program, which the government kit's server may ask for.
  public init(folder: String, timeout: Duration = .seconds(30), version: String = "1.0.0") {
    self.folder = folder
    store = SessionStore(folder: folder)
    context = { (signedIn) throws(SignInError) in
      try SignInContext(
        service: signedIn.account.service, trust: try signedIn.description().trust,
        timeout: timeout, version: version)
    }
  }

  struct Record: Sendable {
    /// Account; `nil` after a sign-out.
    var current: SignedIn?
    /// Sign-outs that a provider has not received.
    var pending: [SignedIn] = []
  }

  /// Maximum number of pending sign-outs; older ones end with the expiry of their tokens.
  static let pendingLimit = 8

  /// - Throws: `.store`; its `.keyLost` means that the account is gone.
  func load() throws(SignInError) -> Record {
    guard let bytes = try store.load() else { return Record() }
    // An unreadable record comes from another version of this program.
    guard let record = Record(bytes) else { throw .store(.keyLost) }
    return record
  }

  /// Returns the stored account, without a request to its provider.
  ///
  /// - Throws: `.notSignedIn`; `.thisMachine` if the folder or its key cannot be used.
  public func account() throws(SignInError) -> Account { try current().account }

  /// Stores an account, and replaces an earlier one.
  ///
  /// - Returns: its protection against other users.
  /// - Throws: `.thisMachine` if it cannot be stored.
  @discardableResult
  public func keep(
    _ account: Account, of service: SignInService
  ) throws(SignInError) -> Account.Protection {
    try keep(SignedIn(account, at: service.description))
  }

  /// Refreshes the account's tokens, and stores them.
  ///
  /// - Returns: the account with its new tokens.
  /// - Throws: `.notSignedIn`; `.refreshTokenExpired`, and the account is forgotten; `.notOffered` if the method has no
  ///   tokens; `.otherSession` if another sign-in was stored meanwhile; `.network`.
  public func refresh() async throws(SignInError) -> Account {
    try await BlockingActor().run { () throws(SignInError) in try refresh(context).account }
  }

  /// Signs out: forgets the account, and notifies its provider.
  ///
  /// - Returns: true if no sign-out is pending; otherwise call `tellPending` when the network is back.
  /// - Throws: `.notSignedIn`; `.thisMachine` if the account cannot be forgotten.
  @discardableResult
  public func signOut() async throws(SignInError) -> Bool {
    try await BlockingActor().run { () throws(SignInError) in try signOut(context) }
  }

  /// Sends pending sign-outs to their providers.
  ///
  /// - Returns: true if no sign-out is left.
  /// - Throws: `.thisMachine` if the store cannot be changed.
  @discardableResult
  public func tellPending() async throws(SignInError) -> Bool {
    try await BlockingActor().run { () throws(SignInError) in try tellPending(context) }
  }

  /// Forgets the account and pending sign-outs, without a request to a provider.
  ///
  /// - Throws: `.thisMachine` if they cannot be removed.
  public func reset() throws(SignInError) {
    try store.remove()
  }

  /// Lock of the account, with a local code for this machine; its third wrong code removes the account.
  public var lock: LocalLock {
    LocalLock(folder: folder) { (try? store.remove()) != nil }
  }

  /// `$XDG_STATE_HOME/cie-read`, else `~/.local/state/cie-read` (XDG Base Directory Specification 0.8); `nil` if the
  /// environment has neither.
  public static var usualFolder: String? {
    SessionStore.usualFolder { Environment.value(of: $0) }
  }
}

extension AccountKeeper {
  /// Returns the account with its service description.
  ///
  /// - Throws: `.notSignedIn`, `.store`.
  func current() throws(SignInError) -> SignedIn {
    do throws(SignInError) {
      if let current = try load().current { return current }
    } catch { if error.cause != .store(.keyLost) { throw error } }
    throw SignInError(.notSignedIn)
  }

  /// Stores an account under a new random session identifier.
  @discardableResult
  func keep(_ signedIn: SignedIn) throws(SignInError) -> Account.Protection {
    var signedIn = signedIn
    signedIn.session = try SignInContext.randomText(22)
    return try update { record in
      record.current = signedIn
      return true
    } ?? .fileMode
  }

  /// Refreshes and stores the tokens; an account whose session cannot be renewed is forgotten.
  ///
  /// An account that was signed out during the request stays signed out: the new tokens are revoked at the provider,
  /// not stored.
  ///
  /// - Throws: `.notSignedIn`; `.otherSession` if another session began meanwhile.
  func refresh(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) throws(SignInError) -> SignedIn {
    let old = try current()
    let (provider, line) = (try old.way(), try context(old))
    var new = old
    do throws(SignInError) { new.account = try provider.refresh(old.account, line) } catch {
      guard error.cause == .refreshTokenExpired else { throw error }
      let now = try replace(old, by: nil)
      // Another process has renewed it before, and used up this process's refresh token.
      guard let now, now.session == old.session else { throw error }
      return now
    }
    let now = try replace(old, by: new)
    if let now, now.session == old.session { return now }
    try? provider.signOut(new.account, line)
    throw SignInError(now == nil ? .notSignedIn : .otherSession)
  }

  /// Replaces an account that was loaded, if it is still stored.
  ///
  /// - Returns: the account that is stored afterwards.
  private func replace(
    _ old: SignedIn, by new: SignedIn?
  ) throws(SignInError) -> SignedIn? {
    var now: SignedIn?
    try update { record in
      let isSame = record.current.map { $0.session == old.session && $0.account == old.account }
      if isSame == true { record.current = new }
      now = record.current
      return isSame == true
    }
    return now
  }

  /// Forgets the account first, regardless of the provider, and then notifies the provider.
  ///
  /// - Parameter context: makes the context for the provider's servers.
  func signOut(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) throws(SignInError) -> Bool {
    do throws(SignInError) { _ = try current() } catch {
      _ = try? tellPending(context)
      throw error
    }
    try update { record in
      guard let leaving = record.current else { return false }
      record.current = nil
      record.pending = Array((record.pending + [leaving]).suffix(Self.pendingLimit))
      return true
    }
    return try tellPending(context)
  }

  @discardableResult
  func tellPending(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) throws(SignInError) -> Bool {
    guard let pending = try? load().pending, !pending.isEmpty else { return true }
    var told: Set<String> = []
    for signedIn in pending {
      do throws(SignInError) {
        try signedIn.way().signOut(signedIn.account, try context(signedIn))
      } catch {
        // Any response means that the request was received: a rejected token is already invalid.
        if error.isOutage { continue }
      }
      told.insert(signedIn.session)
    }
    var isDone = true
    try update { record in
      let count = record.pending.count
      record.pending.removeAll { told.contains($0.session) }
      isDone = record.pending.isEmpty
      return record.pending.count != count
    }
    return isDone
  }

  /// Changes the stored record under the store's lock.
  ///
  /// - Parameter change: returns true if the record must be written.
  @discardableResult
  private func update(
    _ change: (inout Record) -> Bool
  ) throws(SignInError) -> Account.Protection? {
    try store.update { stored in
      var record = stored.flatMap(Record.init) ?? Record()
      guard change(&record) else { return .none }
      guard record.current != nil || !record.pending.isEmpty else { return .removed }
      return .replaced(by: [UInt8](record.json.text.utf8))
    }
  }
}

/// Account with the service description at the sign-in, which refresh and sign-out need.
struct SignedIn: Sendable {
  var account: Account
  /// Text of the description, and the folder for its relative paths.
  let source: [UInt8]
  let folder: String?
  /// Random session identifier; a refresh keeps it.
  var session = ""
}

extension SignedIn {
  init(_ account: Account, at description: ServiceDescription) {
    self.init(account: account, source: description.source, folder: description.folder)
  }

  func description() throws(SignInError) -> ServiceDescription {
    try ServiceDescription(json: source, folder: folder)
  }

  func way() throws(SignInError) -> ConfiguredMethod {
    guard let method = SignInMethod(rawValue: account.method),
      let way = try description().way(method)
    else { throw SignInError(.notOffered) }
    return way
  }
}

extension SignInError {
  /// True for a failure of the network: the provider has not received the request.
  var isOutage: Bool {
    guard case .exchange(.http) = cause else { return false }
    return true
  }
}
