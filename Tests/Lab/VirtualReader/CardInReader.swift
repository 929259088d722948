import CIECard
import VirtualCIE

internal import Primitives

/// A card from the virtual reader's side.
struct CardInReader {
  enum Reaction: Sendable {
    /// It answers with an R-APDU.
    case answer([UInt8])
    /// It stays without an answer; the driver then waits until it leaves.
    case silence
    /// It answers, and the answer is lost.
    case lost
    case leave
  }

  let answerToReset: [UInt8]
  /// The reset contact is used: the session on the card is gone.
  let reset: () -> Void
  let respond: (_ command: [UInt8]) -> Reaction
  /// Power comes on after it was off; by default as `reset`.
  var powerOn: (() -> Void)?

  /// Stays in the reader until it leaves or is taken out.
  ///
  /// pcscd misses a card that comes right after a reset of the last one failed: the driver has forgotten that one, and finds
  /// the new one before pcscd has seen the reader empty. It then asks for the answer to reset, and never powers the card on.
  ///
  /// - Parameter inserted: called once, when the reader has powered the card on.
  /// - Returns: false if the reader missed the card, which has then left.
  @discardableResult
  func serve(_ link: VPCDLink, inserted: () -> Void = {}) -> Bool {
    var isPowered = false
    var isInserted = false
    var requestsWithoutPower = 0
    while let request = link.receive() {
      switch request {
      case .powerOff:
        reset()
        isPowered = false
      case .powerOn:
        (powerOn ?? reset)()
        isPowered = true
      case .reset:
        reset()
        isPowered = true
      case .answerToReset:
        link.send(answerToReset)
        if isPowered && !isInserted {
          inserted()
          isInserted = true
        } else if !isInserted {
          requestsWithoutPower += 1
          guard requestsWithoutPower < 8 else {
            link.remove()
            return false
          }
        }
      case .command(let command):
        switch respond(command) {
        case .answer(let response): link.send(response)
        case .silence, .lost: break
        case .leave:
          link.remove()
          return true
        }
      }
    }
    return true
  }
}

extension CardInReader {
  /// A software CIE.
  ///
  /// - Parameter diary: gets a line for each command.
  init(_ card: VirtualCard, diary: CardDiary? = nil) {
    answerToReset = card.answerToReset
    reset = { card.reset() }
    powerOn = { card.powerOn() }
    respond = { command in
      defer { diary?.note(card) }
      do throws(ChannelError) {
        return .answer(try card.respond(to: command))
      } catch {
        return error == .cardMute ? .silence : .leave
      }
    }
  }
}

/// The reader, or the wire to it, cannot be reached or made.
struct ReaderError: Error, CustomStringConvertible {
  let description: String

  init(doing what: String, errno code: Int32) {
    description = "\(what): \(SystemError(code).message)"
  }
}
