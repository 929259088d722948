extension RedirectURL {
  /// Scheme, host and port: compared exactly before anything is trusted (RFC 6454 §4).
  public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The supported schemes.
    public enum Scheme: String, Sendable, Hashable {
      case https
      /// Plain HTTP; allowed only in some places.
      case http

      /// The port that need not be written.
      var defaultPort: UInt16 {
        switch self {
        case .https: 443
        case .http: 80
        }
      }
    }

    /// The scheme.
    public let scheme: Scheme
    /// Lower-case name, dotted-decimal IPv4 address, or IPv6 address in brackets.
    public let host: String
    /// The port, by default the scheme's own.
    public let port: UInt16

    /// Scheme, host and, unless it is the scheme's own, port.
    public var description: String {
      scheme.rawValue + "://" + host + (port == scheme.defaultPort ? "" : ":\(port)")
    }
  }
}

extension RedirectURL.Origin {
  /// The origin of an HTTPS server at its default port, named in this module's own tables.
  init(https host: StaticString) {
    self.init(scheme: .https, host: "\(host)", port: Scheme.https.defaultPort)
  }
}
