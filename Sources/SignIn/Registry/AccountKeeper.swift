internal import CIECard
internal import RedirectFlow
internal import System

/// The account that is kept on this machine from one run of a program to the next, and the sign-outs that its provider has
/// not heard of because the network was away.
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

  /// A keeper in a folder, which is made, for its owner alone, when there is something to keep.
  ///
  /// - Parameters:
  ///   - folder: its path.
  ///   - timeout: the most time for one answer of a provider.
  ///   - version: the program's version, which the government kit's server may ask for.
  public init(folder: String, timeout: Duration = .seconds(30), version: String = "1.0.0") {
    self.folder = folder
    store = SessionStore(folder: folder)
    context = { (signedIn) throws(SignInError) in
      try SignInContext(
        service: signedIn.account.service, trust: try signedIn.description().trust,
        timeout: timeout, version: version)
    }
  }

  /// The contents of the store
  package struct Record: Sendable {
    /// The account; `nil` after a sign-out.
    package var current: SignedIn?
    /// Sign-outs that a provider must hear of.
    package var pending: [SignedIn] = []
  }

  /// The most sign-outs that wait for the network; older ones end by themselves with their tokens.
  static let pendingLimit = 8

  /// Reads the store.
  ///
  /// - Throws: `SessionStoreError`; `.keyLost` means that the account is gone.
  package func load() throws(SessionStoreError) -> Record {
    guard let bytes = try store.load() else { return Record() }
    // A record that cannot be read comes from another version of this program.
    guard let record = Record(bytes) else { throw .keyLost }
    return record
  }

  /// The account that is kept, without asking its provider.
  ///
  /// - Throws: `.notSignedIn`; `.thisMachine` where the folder or its key cannot be used.
  public func account() throws(SignInError) -> Account { try current().account }

  /// Keeps an account in the place of the one before.
  ///
  /// - Returns: how it is protected from other users.
  /// - Throws: `.thisMachine` where it cannot be kept.
  @discardableResult
  public func keep(
    _ account: Account, of service: SignInService
  ) throws(SignInError) -> Account.Protection {
    try keep(SignedIn(account, at: service.description))
  }

  /// Gets new tokens for the account, and keeps them.
  ///
  /// - Returns: the account with its new tokens.
  /// - Throws: `.notSignedIn`; `.refreshTokenExpired`, and the account is forgotten; `.notOffered` where the way in has no
  ///   tokens; `.otherSession` where another sign-in was kept meanwhile; `.network`.
  public func refresh() async throws(SignInError) -> Account {
    try await CardActor().run { () throws(SignInError) in try refresh(context).account }
  }

  /// Signs out: forgets the account, and tells its provider.
  ///
  /// - Returns: whether the provider knows; else `tellPending` tells it when the network is back.
  /// - Throws: `.notSignedIn`; `.thisMachine` where the account cannot be forgotten.
  @discardableResult
  public func signOut() async throws(SignInError) -> Bool {
    try await CardActor().run { () throws(SignInError) in try signOut(context) }
  }

  /// Tells providers of the sign-outs that they have not heard of.
  ///
  /// - Returns: whether none is left.
  /// - Throws: `.thisMachine` where the store cannot be changed.
  @discardableResult
  public func tellPending() async throws(SignInError) -> Bool {
    try await CardActor().run { () throws(SignInError) in try tellPending(context) }
  }

  /// Forgets the account and the sign-outs that wait, without asking a provider.
  ///
  /// - Throws: `.thisMachine` where they cannot be removed.
  public func reset() throws(SignInError) {
    do throws(SessionStoreError) { try store.remove() } catch { throw SignInError(.store(error)) }
  }

  /// The lock before the account, with a code of this machine's own; after its third wrong code the account is forgotten.
  public var lock: LocalLock {
    LocalLock(folder: folder) { (try? store.remove()) != nil }
  }

  /// `$XDG_STATE_HOME/cie-read`, else `~/.local/state/cie-read` (XDG Base Directory Specification 0.8); `nil` where the
  /// environment names neither.
  public static var usualFolder: String? {
    SessionStore.usualFolder { Environment.value(of: $0) }
  }
}

/// The steps, which block.
extension AccountKeeper {
  /// The account with its description.
  ///
  /// - Throws: `.notSignedIn`, `.store`.
  package func current() throws(SignInError) -> SignedIn {
    do throws(SessionStoreError) {
      if let current = try load().current { return current }
    } catch { if error != .keyLost { throw SignInError(.store(error)) } }
    throw SignInError(.notSignedIn)
  }

  /// Keeps an account under a new random word.
  @discardableResult
  package func keep(_ signedIn: SignedIn) throws(SignInError) -> Account.Protection {
    var signedIn = signedIn
    signedIn.session = try SignInContext.randomText(22)
    return try update { record in
      record.current = signedIn
      return true
    } ?? .fileMode
  }

  /// Gets new tokens and keeps them; an account whose session cannot be renewed is forgotten.
  ///
  /// An account that was signed out while the provider was asked stays so: the provider is told, and nothing is kept.
  ///
  /// - Throws: `.notSignedIn`, `.otherSession` where the session was ended, or another one begun, meanwhile.
  package func refresh(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) throws(SignInError) -> SignedIn {
    let old = try current()
    let (provider, line) = (try old.way(), try context(old))
    var new = old
    do throws(SignInError) { new.account = try provider.refresh(old.account, line) } catch {
      guard error.cause == .refreshTokenExpired else { throw error }
      let now = try replace(old, by: nil)
      // Another process has renewed it before, and used up what this one had.
      guard let now, now.session == old.session else { throw error }
      return now
    }
    let now = try replace(old, by: new)
    if let now, now.session == old.session { return now }
    try? provider.signOut(new.account, line)
    throw SignInError(now == nil ? .notSignedIn : .otherSession)
  }

  /// Replaces an account that was read, if it is still there.
  ///
  /// - Returns: the account that is kept then.
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

  /// Forgets the account first, whatever the provider says, and then tells the provider.
  ///
  /// - Parameter context: makes the way to the provider's servers.
  /// - Returns: whether the provider knows; else it is told when the network is back, by `tellPending`.
  /// - Throws: `.notSignedIn`.
  package func signOut(
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

  /// Tells providers of the sign-outs that they have not heard of.
  ///
  /// - Returns: whether none is left.
  @discardableResult
  package func tellPending(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) throws(SignInError) -> Bool {
    guard let pending = try? load().pending, !pending.isEmpty else { return true }
    var told: Set<String> = []
    for signedIn in pending {
      do throws(SignInError) {
        try signedIn.way().signOut(signedIn.account, try context(signedIn))
      } catch {
        // An answer means that it was heard: a token that is refused is of no use any more.
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

  /// Changes what is kept, as it is now and while no other process does.
  ///
  /// - Parameter change: whether there is something to be written.
  @discardableResult
  private func update(
    _ change: (inout Record) -> Bool
  ) throws(SignInError) -> Account.Protection? {
    do throws(SessionStoreError) {
      return try store.update { stored in
        var record = stored.flatMap(Record.init) ?? Record()
        guard change(&record) else { return .none }
        guard record.current != nil || !record.pending.isEmpty else { return .removed }
        return .replaced(by: [UInt8](record.json.text.utf8))
      }
    } catch { throw SignInError(.store(error)) }
  }
}

/// An account with the service's description of that time, which a refresh and a sign-out need.
package struct SignedIn: Sendable {
  package var account: Account
  /// The description, and the folder for its relative names of files
  package let source: [UInt8]
  package let folder: String?
  /// A random word for the sign-in; it stays the same when tokens are renewed.
  package var session = ""

  package init(_ account: Account, at description: ServiceDescription) {
    self.account = account
    source = description.source
    folder = description.folder
  }

  init(account: Account, source: [UInt8], folder: String?, session: String) {
    self.account = account
    self.source = source
    self.folder = folder
    self.session = session
  }

  /// The description, read again.
  package func description() throws(SignInError) -> ServiceDescription {
    do throws(ServiceProblem) { return try ServiceDescription(json: source, folder: folder) } catch
    {
      throw SignInError(.description(error))
    }
  }

  /// The way in that was taken.
  func way() throws(SignInError) -> WayIn {
    guard let method = SignInMethod(rawValue: account.method),
      let way = try description().way(method)
    else { throw SignInError(.notOffered) }
    return way
  }
}

extension SignInError {
  /// Failure of the network: the provider has not heard the request.
  package var isOutage: Bool {
    guard case .exchange(.http) = cause else { return false }
    return true
  }
}
