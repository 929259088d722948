import CIECard

/// What a command does with a card, whatever channel it is on.
///
/// Not a closure, because it must be generic over the channel; not copyable where it holds a PIN.
protocol CardJob: ~Copyable {
  /// What it brings back.
  associatedtype Result

  /// Does it. The card is let go of when this returns, whatever happened.
  ///
  /// It may be done once more, from the start, where a transmission failed before any PIN or PUK was sent.
  mutating func run<Channel: CardChannel & ~Copyable>(
    on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> Result
}
