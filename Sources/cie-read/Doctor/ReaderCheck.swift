import CIECard
import CardWork
import Messages
import Primitives

/// The service, its readers, and the cards on them.
struct ReaderCheck {
  let selection: PCSCContext.ReaderSelection
  let conversation: Conversation
  let session: RunContext

  /// Readers, by a part of their names, that carry short APDUs alone, or do not work with the driver of Linux (the list
  /// of the CCID driver, readers/supported_readers.txt).
  static let shortReaders = ["ACR122"]

  /// - Parameter named: the readers' names, for a report.
  func findings(_ named: inout [String]) -> [DoctorFinding] {
    let readers: [PCSCContext.Reader]
    do throws(ChannelError) {
      let context = try PCSCContext()
      defer { session.interruption.forget() }
      readers = try session.interruption.cancelling({ context.cancel() }) {
        () throws(ChannelError) in
        try context.readers()
      }
    } catch {
      let diagnosis = Diagnosis(error)
      let command = diagnosis.kind == .noService ? "sudo systemctl start pcscd.socket" : nil
      return [DoctorFinding("service", diagnosis, command: command)]
    }
    named = readers.map(\.name)
    let service = DoctorFinding("service", .ok, Message("doctor.service.running"))
    let names = selection.candidates(among: readers.map(\.name))
    let meant = readers.filter { names.contains($0.name) }
    guard !meant.isEmpty else {
      let error: ChannelError = readers.isEmpty ? .noReader : .readerNotFound(selection.text)
      return [service, DoctorFinding("reader", Diagnosis(error))]
    }
    // A reader with a second slot, for SIM cards, is two readers.
    let mayBeEmpty = meant.contains { $0.answerToReset != nil }
    return [service] + meant.flatMap { findings(of: $0, mayBeEmpty: mayBeEmpty) }
  }

  private func findings(
    of reader: PCSCContext.Reader, mayBeEmpty: Bool
  ) -> [DoctorFinding] {
    guard reader.isAvailable else {
      return [DoctorFinding("reader", Diagnosis(ChannelError.readerUnavailable(reader.name)))]
    }
    let name = reader.name
    let found = Self.finding(name, .unknown)
    guard let atr = reader.answerToReset else {
      let none = DoctorFinding(
        "card", .warning, Message("doctor.card.none", ["reader": name]),
        remedy: Message("doctor.card.none.do"))
      return [found] + (mayBeEmpty ? [] : [none])
    }
    guard !atr.isEmpty else {
      return [found, DoctorFinding("card", Diagnosis(ChannelError.cardMute))]
    }
    // A driver reports its reader only with a card in it.
    var traits: ChannelTraits?
    let card = cardFindings(in: .reader(.exactly(name), wait: .zero), &traits)
    guard let traits else { return [found] + card }
    let keypad = DoctorFinding("keypad", .ok, Message("doctor.reader.keypad"))
    return [Self.finding(name, traits.extendedLength)] + (traits.hasKeypad ? [keypad] : []) + card
  }

  /// The finding about a reader's lengths: by its driver, or by its name if the driver does not report them.
  static func finding(_ name: String, _ lengths: ChannelTraits.ExtendedLength) -> DoctorFinding {
    func found(_ key: Message) -> DoctorFinding { DoctorFinding("reader", .ok, key) }
    let short = DoctorFinding(
      "reader", .warning, Message("doctor.reader.short", ["reader": name]),
      remedy: Message("doctor.reader.short.do"))
    switch lengths {
    case .notCarried: return short
    case .carried: return found(Message("doctor.reader.extended", ["reader": name]))
    case .unknown:
      let isShort = shortReaders.contains { name.includes($0) }
      return isShort ? short : found(Message("doctor.reader.found", ["reader": name]))
    }
  }

  /// Findings about a card without a PIN.
  ///
  /// - Parameter traits: the traits of the channel, if there was one.
  func cardFindings(in source: CardSource, _ traits: inout ChannelTraits?) -> [DoctorFinding] {
    var conversation = conversation
    conversation.source = source
    do throws(Failure) {
      return try conversation.perform(in: session) { (card, random, session) throws(Failure) in
        traits = card.traits
        do throws(CardError) {
          return try Self.findings(of: card, session.tries, &random)
        } catch {
          throw .card(error)
        }
      }
    } catch { return [DoctorFinding("card", Diagnosis(error))] }
  }

  private static func findings(
    of card: consuming SessionCard, _ known: KnownTries, _ random: inout SessionRandom
  ) throws(CardError) -> [DoctorFinding] {
    var card = card
    let family = card.family
    let number = try card.readServicesNumber()
    let found = DoctorFinding(
      "card", .ok,
      family == .unknown
        ? Message("doctor.card.unknown-family", ["number": number])
        : Message("doctor.card.found", ["family": family.text, "number": number]))
    do throws(CardError) {
      let tries = try card.readTries(remembering: known, random: &random)
      return [found, Self.finding(tries.pin, .pin), Self.finding(tries.puk, .puk)]
    } catch {
      guard case .channel = error.reason else {
        return [found, DoctorFinding("secure-channel", Diagnosis(error))]
      }
      throw error
    }
  }

  private static func finding(_ tries: Int?, _ code: CardError.CodeKind) -> DoctorFinding {
    let name = "\(code.rawValue)-tries"
    let label = code.rawValue.uppercased()
    return switch tries {
    case nil: DoctorFinding(name, .unchecked, Message("doctor.tries.untold", ["code": label]))
    case 0: DoctorFinding(name, Diagnosis(CardError(.readTries, .blocked(code))))
    case 1:
      DoctorFinding(
        name, .warning, Message("doctor.tries.last", ["code": label]),
        remedy: Message("doctor.last-\(code.rawValue)-try.do"))
    case let tries?:
      DoctorFinding(name, .ok, Message("doctor.tries.left", ["code": label, "count": tries]))
    }
  }
}
