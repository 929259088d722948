import CIECard
import CardWork
import Primitives
import Synchronization

/// The tickets of windows: each is exchanged once for the token of the service.
///
/// A ticket is in the address of a page, which a browser may keep in its history; the token is in no address.
final class OneTimeTokens: Sendable {
  /// The token of the port.
  let token: String
  private struct State {
    /// Digests, because a comparison of them shows nothing about the tickets.
    var tickets: Set<Digest> = []
    var lastRedeemed: ContinuousClock.Instant?
  }
  private let state = Mutex(State())

  init() throws(Failure) { token = try Self.random() }

  func issue() throws(Failure) -> String {
    let ticket = try Self.random()
    let digest = try Self.digest(ticket)
    state.withLock { _ = $0.tickets.insert(digest) }
    return ticket
  }

  /// The token for a ticket.
  ///
  /// - Throws: `ticketUsed` the second time.
  func redeem(_ ticket: String) throws(Failure) -> String {
    let digest = try Self.digest(ticket)
    let isValid = state.withLock { state in
      guard state.tickets.remove(digest) != nil else { return false }
      state.lastRedeemed = .now
      return true
    }
    guard isValid else { throw .found(Diagnosis(.usage, "ticket-used")) }
    return token
  }

  /// The time when a page was last opened; nil before the first.
  var lastRedeemed: ContinuousClock.Instant? { state.withLock { $0.lastRedeemed } }

  private static func digest(_ text: String) throws(Failure) -> Digest {
    try mapError(try Digest(.sha256, hashing: [UInt8](text.utf8))) { Failure.crypto($0) }
  }

  private static func random() throws(Failure) -> String {
    var random = SystemRandom()
    return try mapError(try random.bytes(32)) { Failure.crypto($0) }.hexadecimal
  }
}
