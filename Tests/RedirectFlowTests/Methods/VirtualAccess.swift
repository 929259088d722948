import CIECard
import Synchronization
import VirtualCIE

@testable import RedirectFlow
@testable import Web

/// A software card whose holder types the right PIN, and its log.
final class VirtualAccess: CardAccess {
  private let card: Mutex<VirtualCard>
  private let persona: Persona

  init(_ persona: Persona = .gemalto, faults: FaultPlan = FaultPlan()) {
    self.persona = persona
    card = Mutex(VirtualCard(persona: persona, faults: faults))
  }

  /// The number of signatures with the holder's key.
  var signatures: Int { card.withLock { $0.log.counters.holderSignatures } }
  /// The number of times that the PIN was compared.
  var verifications: Int { card.withLock { $0.log.counters.verifications } }

  /// The card as an integrator passes it to a session.
  var forSession: LoginCard {
    asking { [persona] () throws(AccessCode.FormatError) in try PIN(digits: persona.pin) }
  }

  /// The card with another answer to the question for the PIN.
  func asking(_ pin: @escaping @Sendable () throws(AccessCode.FormatError) -> PIN?) -> LoginCard {
    LoginCard(checking: .skipped) { (_) throws(AccessCode.FormatError) in
      try pin()
    } open: { () throws(ChannelError) in
      self.card.withLock { VirtualCardChannel($0) }
    }
  }

  func giveUp() {}

  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value {
    try forSession.access(LoginCancellation()).withKey(body)
  }
}
