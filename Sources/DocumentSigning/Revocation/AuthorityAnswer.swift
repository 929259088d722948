public import Primitives

/// The answer of one address in a certificate, or the reason why it is of no use. All addresses are asked in turn until one
/// has a usable answer.
public struct AuthorityAnswer: Sendable {
  /// The address, as the certificate has it.
  public let address: String
  /// The end of the exchange.
  public internal(set) var outcome: Outcome

  /// Ends of an exchange with an address.
  public enum Outcome: Sendable {
    /// It is used.
    case taken
    /// The exchange failed, or its HTTP status is not 200.
    case failed(Diagnosis)
    /// A web page.
    case page
    /// Neither a certificate, a CRL nor an OCSP response, in DER, PEM or gzip.
    case unreadable
    /// A certificate that did not issue the one in question, a list or response of another authority, or about others.
    case unfit
    /// A list or response that is replaced by a newer one, from the future, or not about the time in question.
    case outdated

    /// The word for scripts.
    package var word: String {
      switch self {
      case .taken: "taken"
      case .failed: "failed"
      case .page: "page"
      case .unreadable: "unreadable"
      case .unfit: "unfit"
      case .outdated: "outdated"
      }
    }
  }
}
