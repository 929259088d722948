/// A software card as a virtual reader sees it.
struct CardInReader {
  /// What a card does when it gets a command.
  enum Reaction: Sendable {
    /// It answers with an R-APDU.
    case answer([UInt8])
    /// It leaves the reader.
    case leave
  }

  let answerToReset: [UInt8]
  /// Power goes on or off, or the reset contact is used: all that the card knew of the session is gone.
  let reset: () -> Void
  let respond: (_ command: [UInt8]) -> Reaction

  /// Lies in the reader until it leaves or is taken out.
  ///
  /// - Parameter inserted: called once, when the reader has seen the card.
  func serve(_ link: VPCDLink, inserted: () -> Void = {}) {
    var seen = false
    while let request = link.receive() {
      switch request {
      case .powerOff, .powerOn, .reset:
        reset()
      case .answerToReset:
        link.send(answerToReset)
        if !seen { inserted() }
        seen = true
      case .command(let command):
        switch respond(command) {
        case .answer(let response): link.send(response)
        case .leave: return link.remove()
        }
      }
    }
  }
}
