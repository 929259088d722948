import ArgumentParser
import CIECard
import VirtualCIE

/// `cie-read readers`: which readers there are, and what lies on them.
struct ReadersCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "readers", it: "Elenca i lettori e ciò che vi è appoggiato.",
      en: "List the readers and what lies on them.")
  }

  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> Outcome {
    switch try source.source() {
    case .virtual(let persona, _, _):
      let atr = VirtualCard(persona: persona).answerToReset
      return Outcome([Row(number: 0, name: "virtual \(persona.identifier)", atr: atr)], session)
    case .replay(let trace):
      return Outcome([Row(number: 0, name: "replay", atr: trace.header.traits.atr)], session)
    case .reader(let selection, _):
      return Outcome(try Row.all(selection), session)
    }
  }

  /// One reader.
  fileprivate struct Row {
    let number: Int
    let name: String
    /// Empty when the card is mute, nil when there is none.
    let atr: [UInt8]?

    static func all(_ selection: ReaderSelection) throws(Failure) -> [Row] {
      do throws(ChannelError) {
        let readers = try PCSCContext().readers()
        guard !readers.isEmpty else { throw .noReader }
        let fitting = try selection.candidates(among: readers.map { $0.name })
        guard !fitting.isEmpty else { throw .readerNotFound("") }
        return readers.enumerated()
          .map { Row(number: $0.offset, name: $0.element.name, atr: $0.element.answerToReset) }
          .filter { fitting.contains($0.name) }
      } catch { throw .channel(error) }
    }

    var json: JSON {
      .object([
        .init("number", number), .init("name", name), .init("card", atr != nil),
        .init("atr", atr?.hexadecimal), .init("family", atr.map { ChipFamily(atr: $0).rawValue }),
      ])
    }

    func line(_ language: Language) -> String {
      let card =
        switch atr {
        case nil: Bilingual(it: "nessuna carta", en: "no card")(language)
        case .some(let atr) where atr.isEmpty:
          Bilingual(it: "carta muta", en: "mute card")(language)
        case .some(let atr): "\(ChipFamily(atr: atr).text(language)), \(atr.hexadecimal)"
        }
      return "\(number)  \(name)  (\(card))"
    }
  }
}

extension Outcome {
  fileprivate init(_ rows: [ReadersCommand.Row], _ session: Session) {
    lines = rows.map { $0.line(session.language) }
    members = [.init("readers", .array(rows.map(\.json)))]
  }
}
