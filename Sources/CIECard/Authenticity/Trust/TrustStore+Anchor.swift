extension TrustStore {
  /// The self-signed certificate that stands at the end of the way from a document signer.
  ///
  /// - Parameters:
  ///   - signer: the certificate that a security object brings along.
  ///   - time: of several paths, one that is valid then goes first.
  /// - Returns: `nil` when there is no such way.
  public func anchor(of signer: Certificate, at time: UTCTime) -> Certificate? {
    if case .path(let path) = chain(of: signer, at: time) { path.last } else { nil }
  }
}
