extension Certificate {
  /// Why bytes are no certificate.
  public enum Malformation: Error, Sendable, Equatable {
    /// The bytes are not the DER encoding of an X.509 certificate; with OpenSSL's reason.
    case malformed(reason: String)
    /// The certificate is followed by this many more bytes.
    case trailingBytes(count: Int)
  }
}
