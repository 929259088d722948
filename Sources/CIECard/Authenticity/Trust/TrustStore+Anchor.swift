extension TrustStore {
  /// The self-signed certificate that stands at the end of the way from a document signer.
  ///
  /// - Parameters:
  ///   - signer: the certificate that a security object brings along.
  ///   - time: of several ways one that is in force then goes first; seconds since 1970-01-01T00:00:00Z.
  /// - Returns: `nil` when there is no such way.
  public func anchor(of signer: Certificate, at time: Int64) -> Certificate? {
    if case .path(let path) = chain(of: signer, at: time) { path.last } else { nil }
  }
}
