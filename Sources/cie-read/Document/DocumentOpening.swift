import CIECard
import Messages

extension IdentityCard where Channel: ~Copyable {
  /// Opens the travel document, once; a wrong code that the card was slow over is told as such.
  consuming func opened(
    with opening: consuming AwaitedAccess.Opening, random: inout some RandomSource
  ) throws(Failure) -> TravelDocument<Channel> {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(CardError) {
      return try openTravelDocument(with: opening.code, random: &random)
    } catch {
      if case .wrongAccessCode = error.reason, clock.now - start >= .slowness {
        throw .slowAccess(error)
      }
      throw .card(error)
    }
  }
}

extension Duration {
  /// A card that takes longer than this over a code that is wrong has begun to slow down: PACE itself takes a second,
  /// three over a bad link.
  fileprivate static let slowness = Duration.seconds(5)
}
