internal import CIECard

/// An exchange with the card's key did not happen, or its answer is not usable.
enum CardCallError: Error, Sendable, Equatable {
  case http(HTTPError)
  case card(CardError)
}
