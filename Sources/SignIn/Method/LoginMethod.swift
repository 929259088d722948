/// A way in: what the registry knows of each. Every method has a folder with the same three things: the method with its
/// entry of a description, what goes over the wire, and its errors.
package protocol LoginMethod: Sendable {
  /// Its name in a description.
  static var name: SignInMethod { get }

  /// Reads its entry; `method` has been taken.
  ///
  /// - Throws: `ServiceProblem` for what is missing, wrong or unknown.
  init(_ entry: inout ServiceEntry) throws(ServiceProblem)

  /// Begins a sign-in.
  ///
  /// - Returns: the first state.
  func begin(_ context: SignInContext) async throws(SignInError) -> SignInState

  /// Gets new tokens for an account.
  ///
  /// - Throws: `.refreshTokenExpired`; `.notOffered` where the way in has no such thing.
  func refresh(
    _ account: Account, _ context: SignInContext
  ) async throws(SignInError) -> Account

  /// Tells the provider that the account is signed out. Forgetting it here is the caller's part.
  func signOut(_ account: Account, _ context: SignInContext) async throws(SignInError)
}

extension LoginMethod {
  /// Not part of this way in.
  package func refresh(
    _ account: Account, _ context: SignInContext
  ) async throws(SignInError) -> Account {
    throw SignInError(.notOffered)
  }

  /// The provider needs not to be told.
  package func signOut(_ account: Account, _ context: SignInContext) async throws(SignInError) {}
}
