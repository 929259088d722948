import CIECard

/// The end of an action on the PIN; its raw value is for scripts.
package enum PINState: String, Sendable {
  case verified, changed, unblocked
}

/// `pin`: verifies the PIN, changes it, or sets a new one by means of the PUK.
package struct PINJob: CardJob {
  package enum Action: Sendable {
    case verify(HeldCode)
    case change(from: HeldCode, to: HeldCode)
    case unblock(with: HeldCode, to: HeldCode)
  }

  package let action: Action
  package let access: HolderAccess

  package init(action: Action, access: HolderAccess) {
    self.action = action
    self.access = access
  }

  package func run(on card: Conversation, in session: RunContext) throws(Failure) -> PINState {
    switch action {
    case .verify(let pin):
      var pin = try pin.code()
      try card.perform(in: session) { (card, random, session) throws(Failure) in
        _ = try card.verified(with: &pin, access, random: &random, in: session)
      }
      return .verified
    case .change(let old, let new):
      var old = try old.code()
      var new = try new.code()
      try card.perform(in: session) { (card, random, session) throws(Failure) in
        try card.changePIN(from: &old, to: &new, access, random: &random, in: session)
      }
      return .changed
    case .unblock(let puk, let new):
      var puk = try puk.code()
      var new = try new.code()
      try card.perform(in: session) { (card, random, session) throws(Failure) in
        try card.unblockPIN(with: &puk, settingTo: &new, access, random: &random, in: session)
      }
      return .unblocked
    }
  }
}
