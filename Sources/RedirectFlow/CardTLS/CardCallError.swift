internal import CIECard

/// An exchange with the card's key did not happen, or its answer is not usable.
enum CardCallError: Error, Sendable, Equatable {
  /// TLS or HTTP failed.
  case http(HTTPError)
  /// The card did not sign.
  case card(CardError)
}
