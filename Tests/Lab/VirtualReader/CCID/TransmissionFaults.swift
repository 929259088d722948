/// Faults between a reader and its card, with their moments.
///
/// Faults of the card itself are a `FaultPlan`.
struct TransmissionFaults: Sendable {
  /// A fault in one exchange of blocks, or of APDUs.
  enum Fault: String, Sendable, CaseIterable {
    /// The reader found a wrong parity in the card's block.
    case parity
    /// A bit of the card's block is wrong.
    case damagedAnswer = "damaged-answer"
    /// A bit of the reader's block is wrong when it comes to the card.
    case damagedCommand = "damaged-command"
    /// The card's block is lost; the reader reports that the card is mute.
    case lostAnswer = "lost-answer"
    /// The reader's block is lost; the reader reports that the card is mute.
    case lostCommand = "lost-command"
    /// The card asks for more time, once.
    case waiting = "wtx"
    /// The reader stops in the middle and does not answer that message.
    case hang
    /// The reader does not answer any more, as when its cable is pulled.
    case dead
    /// The card does not answer to a reset; the number counts resets.
    case mute
  }

  /// An exchange by its number, from 1; of `mute` a reset.
  struct Entry: Sendable, Equatable {
    let fault: Fault
    let first: Int
    let last: Int
  }

  var entries: [Entry] = []

  init(_ entries: [Entry] = []) { self.entries = entries }

  /// Reads `NAME@FROM[-TO]`, several separated by commas; without a number the first one.
  init(parsing text: String) throws(ParsingError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = halves.first, let fault = Fault(rawValue: String(name)) else {
        throw ParsingError(part: String(part))
      }
      let numbers = halves.count > 1 ? halves[1].split(separator: "-").map { Int($0) } : [1]
      guard (1...2).contains(numbers.count), let first = numbers[0], let last = numbers.last,
        let last, first >= 1, last >= first
      else { throw ParsingError(part: String(part)) }
      entries.append(Entry(fault: fault, first: first, last: last))
    }
  }

  struct ParsingError: Error, Equatable {
    let part: String
  }

  func has(_ fault: Fault, at number: Int) -> Bool {
    entries.contains { $0.fault == fault && ($0.first...$0.last).contains(number) }
  }
}
