internal import CIECard
internal import RedirectFlow
internal import System

/// Who is signed in on this machine, from one run of a program to the next: one account, and the sign-outs of which a
/// provider has not heard yet because the network was away.
package struct AccountKeeper: Sendable {
  private let store: SessionStore

  /// - Parameter store: where it is kept.
  package init(_ store: SessionStore) { self.store = store }

  /// What is kept.
  package struct Record: Sendable {
    /// Who is signed in; `nil` for nobody.
    package var current: SignedIn?
    /// Whose sign-out is to be told to a provider.
    package var pending: [SignedIn] = []
  }

  /// The most sign-outs that wait for the network; older ones end by themselves with their tokens.
  static let pendingLimit = 8

  /// Reads it.
  ///
  /// - Throws: `SessionStoreError`; `.keyLost` means that nobody is signed in any more.
  package func load() throws(SessionStoreError) -> Record {
    guard let bytes = try store.load() else { return Record() }
    // What this program wrote and cannot read comes from another version of it.
    guard let record = Record(bytes) else { throw .keyLost }
    return record
  }

  /// Who is signed in.
  ///
  /// - Throws: `SignInError` `.notSignedIn`.
  package func current() throws(SignInError) -> SignedIn { try signedInRecord().current }

  private func signedInRecord() throws(SignInError) -> (record: Record, current: SignedIn) {
    do throws(SessionStoreError) {
      let record = try load()
      if let current = record.current { return (record, current) }
    } catch { if error != .keyLost { throw SignInError(.store(error)) } }
    throw SignInError(.notSignedIn)
  }

  /// Keeps an account in the place of the one before.
  @discardableResult
  package func keep(_ signedIn: SignedIn) throws(SignInError) -> SessionProtection {
    var record = (try? load()) ?? Record()
    record.current = signedIn
    return try write(record)
  }

  /// Gets new tokens for whoever is signed in, and keeps them. An account whose session can no longer be renewed is
  /// signed out.
  package func refresh(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) async throws(SignInError) -> SignedIn {
    let old = try current()
    do throws(SignInError) {
      var new = old
      new.account = try await old.method().refresh(old.account, try context(old))
      try keep(new)
      return new
    } catch {
      if error.isRefreshTokenExpired, var record = try? load() {
        record.current = nil
        try write(record)
      }
      throw error
    }
  }

  /// Signs out: the account is forgotten first, whatever the provider says; then the provider is told.
  ///
  /// - Parameter context: makes the way to the provider's servers.
  /// - Returns: whether the provider knows; else it is told when the network is back, by `tellPending`.
  /// - Throws: `.notSignedIn` when nobody is.
  package func signOut(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) async throws(SignInError) -> Bool {
    var record: Record
    let leaving: SignedIn
    do throws(SignInError) { (record, leaving) = try signedInRecord() } catch {
      _ = try? await tellPending(context)
      throw error
    }
    record.current = nil
    record.pending = Array((record.pending + [leaving]).suffix(Self.pendingLimit))
    try write(record)
    return try await tellPending(context)
  }

  /// Tells providers of the sign-outs that they have not heard of.
  ///
  /// - Returns: whether none is left.
  @discardableResult
  package func tellPending(
    _ context: @Sendable (SignedIn) throws(SignInError) -> SignInContext
  ) async throws(SignInError) -> Bool {
    guard var record = try? load(), !record.pending.isEmpty else { return true }
    var left: [SignedIn] = []
    for signedIn in record.pending {
      do throws(SignInError) {
        try await signedIn.method().signOut(signedIn.account, try context(signedIn))
      } catch {
        // Whoever answers has heard it; a token that is refused is of no use any more.
        if error.isOutage { left.append(signedIn) }
      }
    }
    record.pending = left
    try write(record)
    return left.isEmpty
  }

  /// Forgets everything: the account, and what waits for the network.
  package func reset() throws(SignInError) {
    do throws(SessionStoreError) { try store.remove() } catch { throw SignInError(.store(error)) }
  }

  @discardableResult
  private func write(_ record: Record) throws(SignInError) -> SessionProtection {
    do throws(SessionStoreError) {
      guard record.current != nil || !record.pending.isEmpty else {
        try store.remove()
        return .fileMode
      }
      return try store.store([UInt8](record.json.text.utf8))
    } catch { throw SignInError(.store(error)) }
  }
}

/// An account with what is needed to refresh it and to sign out: the service's description, as it was then.
package struct SignedIn: Sendable {
  /// Who is signed in.
  package var account: Account
  /// The description, and the folder that its names of files begin in.
  package let source: [UInt8]
  package let folder: String?

  package init(_ account: Account, at description: ServiceDescription) {
    self.account = account
    source = description.source
    folder = description.folder
  }

  init(account: Account, source: [UInt8], folder: String?) {
    self.account = account
    self.source = source
    self.folder = folder
  }

  /// The description, read again.
  package func description() throws(SignInError) -> ServiceDescription {
    do throws(ServiceProblem) { return try ServiceDescription(json: source, folder: folder) } catch
    {
      throw SignInError(.description(error))
    }
  }

  /// The way in that was taken.
  package func method() throws(SignInError) -> any LoginMethod {
    guard let name = SignInMethod(rawValue: account.method),
      let method = try description().method(name)
    else { throw SignInError(.notOffered) }
    return method
  }
}

extension SignInError {
  /// Whether nobody has heard the request: the network, not the provider.
  package var isOutage: Bool {
    guard case .exchange(.http) = reason else { return false }
    return true
  }
}
