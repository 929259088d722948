/// Why a token proves nothing.
package enum TokenProblem: Error, Sendable, Equatable {
  /// It is no compact JWS.
  case malformed
}
