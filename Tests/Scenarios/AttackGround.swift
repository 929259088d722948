import CIECard
import Traces
import VirtualCIE

/// A conversation with a card, and the commands in it that are attacked, each in every way that fits it.
struct AttackGround {
  let persona: Persona
  let journey: Trace.Journey
  /// The end of the files' names.
  let name: String
  var extendedLength: ChannelTraits.ExtendedLength?
  let places: [Place]

  /// A command whose answer is attacked.
  struct Place {
    /// Instruction and occurrence: `cb:2` is the second GET DATA.
    let moment: String
    /// Its answer, for the title.
    let answer: String
    let ways: [AttackWay]

    /// - Parameter omitted: the ways that are no attack here, because the client reaches its end by other commands, or
    ///   no other one.
    init(_ moment: String, _ answer: String, _ ways: [AttackWay], omitted: Set<String> = []) {
      (self.moment, self.answer) = (moment, answer)
      self.ways = ways.filter { !omitted.contains($0.text) }
    }
  }

  /// An attack at each place in each way.
  var scenarios: [Scenario] {
    places.flatMap { place in
      place.ways.map { way in
        scenario("\(way.text)@\(place.moment)", "\(way.title): \(place.answer)")
      }
    }
  }

  /// - Parameter text: a change of the wire or a fault, in text form with its moment.
  func scenario(_ text: String, _ title: String) -> Scenario {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    let halves = text.split(separator: "@", maxSplits: 1).map(String.init)
    let mutation = halves.first.flatMap { TraceMutation(text: $0) }
    return Scenario(
      section: .attack, name: words.joined(separator: "-") + "-\(name)", title: title,
      persona: persona, journey: journey,
      disturbance: mutation.map { .mutation($0, at: halves.last ?? "") } ?? .fault(text),
      extendedLength: extendedLength)
  }
}

/// A way to attack an answer: a change on the wire, or a fault of the card.
struct AttackWay {
  /// In the text form of `TraceMutation` or `FaultPlan`, without moment.
  let text: String
  let title: String

  private init(_ text: String, _ title: String) { (self.text, self.title) = (text, title) }

  /// Of a status word in clear.
  static let bare = [
    AttackWay("flip=1", "Another first byte"), AttackWay("status=6985", "Refused"),
    AttackWay("endless-61xx", "More, and nothing comes"),
    AttackWay("endless-6cxx", "Always another length"),
  ]

  /// Of data in clear.
  static let clear =
    bare + [
      AttackWay("strip", "The status word alone"), AttackWay("cut=8", "Eight bytes of it"),
      AttackWay("duplicate", "The answer before it again"),
    ]

  /// Of a protected status word.
  static let protected =
    clear + [
      AttackWay("wrong-mac", "Wrong MAC"), AttackWay("stale-counter", "An old counter"),
      AttackWay("bare-status=6988", "Secure messaging called wrong in clear"),
    ]

  /// Of protected data.
  static let protectedData = protected + [AttackWay("stripped-protection", "The data in clear")]
}
