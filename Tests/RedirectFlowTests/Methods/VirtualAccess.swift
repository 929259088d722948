import CIECard
import RedirectFlow
import Synchronization
import VirtualCIE

/// A software card whose holder types the right PIN, and its log.
final class VirtualAccess: CardAccess {
  private let card: Mutex<VirtualCard>
  private let persona: Persona

  init(_ persona: Persona = .gemalto, faults: FaultPlan = FaultPlan()) {
    self.persona = persona
    card = Mutex(VirtualCard(persona: persona, faults: faults))
  }

  /// How often the holder's key has signed.
  var signatures: Int { card.withLock { $0.log.counters.holderSignatures } }
  /// How often the PIN was compared.
  var verifications: Int { card.withLock { $0.log.counters.verifications } }

  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result {
    let channel = card.withLock { VirtualCardChannel($0) }
    let key: CardLoginKey<VirtualCardChannel>
    do throws(CardError) {
      var random = SystemRandom()
      let authenticated = try IdentityCard(over: channel).authenticate(
        random: &random)
      guard let pin = try? PIN(Secret([UInt8](persona.pin.utf8))) else {
        throw .init(.sign, .signatureFalse)
      }
      key = try CardLoginKey(authenticated.verify(pin))
    } catch { throw .card(error) }
    return try body(key)
  }
}
