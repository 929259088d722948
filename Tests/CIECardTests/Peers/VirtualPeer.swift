import VirtualCIE

@testable import cie_lab

extension InsertedCard {
  /// A software CIE that the peers' terminal can turn into another one: like `pace_card.py`, a fresh card for each
  /// combination.
  convenience init(becomingWhatIsAsked persona: Persona) throws {
    try self.init {
      var card = VirtualCard(persona: persona)
      return CardInReader(
        answerToReset: card.answerToReset, reset: { card.reset() },
        respond: { command in
          guard let wanted = PeerCombination(command: command),
            let options = try? CardOptions(parsing: wanted.option)
          else { return CardInReader(card).respond(command) }
          card = VirtualCard(persona: persona, options: options)
          return .answer([0x90, 0])
        })
    }
  }
}
