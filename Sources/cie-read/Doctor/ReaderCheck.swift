import CIECard
import CardWork
import Messages
import Primitives

/// The service, its readers, and the cards on them.
struct ReaderCheck {
  let selection: PCSCContext.ReaderSelection
  let conversation: Conversation
  let context: RunContext
  /// The check of a chip before it gets a PIN or PUK.
  let vouching: HolderAccess.Vouching

  /// Readers, by a part of their names, that carry short APDUs alone, or do not work with the driver of Linux (the list
  /// of the CCID driver, readers/supported_readers.txt).
  static let shortReaders = ["ACR122"]

  /// - Parameter named: the readers' names, for a report.
  func findings(_ named: inout [String]) -> [DoctorFinding] {
    let readers: [PCSCContext.Reader]
    do throws(ChannelError) {
      let service = try PCSCContext()
      defer { context.interruption.forget() }
      readers = try context.interruption.cancelling({ service.cancel() }) {
        () throws(ChannelError) in
        try service.readers()
      }
    } catch {
      let diagnosis = Diagnosis(error)
      return [DoctorFinding("service", diagnosis, command: Self.command(for: error))]
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

  /// The command that brings the service back, if one does.
  private static func command(for error: ChannelError) -> String? {
    switch error {
    case .serviceMissing, .serviceStopped: "sudo systemctl start pcscd.socket"
    case .serviceUnresponsive: "sudo systemctl restart pcscd"
    case .serviceOfOtherVersion, .accessDenied, .noReader, .readerNotFound, .readerAmbiguous,
      .readerRemoved, .readerUnavailable, .noCard, .cardRemoved, .cardMute, .transmissionFailed,
      .cardReset, .sharingViolation, .truncatedResponse, .lengthNotCarried, .replayMismatch,
      .cancelled, .withheld, .other:
      nil
    }
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
      return try conversation.perform(in: context) { (card, random, context) throws(Failure) in
        traits = card.traits
        do throws(CardError) {
          return try findings(of: card, in: context, &random)
        } catch {
          throw .card(error)
        }
      }
    } catch {
      if case .channel(.sharingViolation) = error {
        return [CardHolders().finding("card", Diagnosis(error))]
      }
      return [DoctorFinding("card", Diagnosis(error))]
    }
  }

  /// The reason why a browser will not be able to use the card that is there; nothing without a card that answers soon.
  func trustFindings() -> [DoctorFinding] {
    do throws(Failure) {
      return try conversation.perform(in: context) { (card, random, context) throws(Failure) in
        var card = card
        return try mapError(try trustFinding(on: &card, in: context, &random)) { Failure.card($0) }
      }
    } catch { return [] }
  }

  private func findings(
    of card: consuming SessionCard, in context: RunContext, _ random: inout SessionRandom
  ) throws(CardError) -> [DoctorFinding] {
    var card = card
    let family = card.family
    let number = try card.readServicesNumber()
    let found = DoctorFinding(
      "card", .ok,
      family == .unknown
        ? Message("doctor.card.unknown-family", ["number": number])
        : Message("doctor.card.found", ["family": family.text, "number": number]))
    let trust = try trustFinding(on: &card, in: context, &random)
    do throws(CardError) {
      let tries = try card.readTries(remembering: context.tries, random: &random)
      return [found] + trust + [Self.finding(tries.pin, .pin), Self.finding(tries.puk, .puk)]
    } catch {
      guard case .channel = error.reason else {
        return [found] + trust + [DoctorFinding("secure-channel", Diagnosis(error))]
      }
      throw error
    }
  }

  /// The reason why PIN and PUK will not be sent to this card; nothing if they will.
  private func trustFinding(
    on card: inout SessionCard, in context: RunContext, _ random: inout SessionRandom
  ) throws(CardError) -> [DoctorFinding] {
    guard let verdict = try card.judgeForPIN(by: vouching, in: context, &random) else { return [] }
    switch verdict {
    case .proved, .knownFault: return []
    case .false: return [DoctorFinding("trust", Diagnosis(CardError(.notGenuine(verdict))))]
    case .couldNotCheck(let obstacle):
      let error = CardError(.genuinenessUnknown(obstacle))
      return [
        DoctorFinding(
          "trust", .warning,
          Message("doctor.card.not-trusted", ["reason": Diagnosis(error).what]),
          remedy: Message("doctor.card.not-trusted.do"))
      ]
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

extension CardError {
  /// An error of the check before a PIN.
  fileprivate init(_ reason: Reason) { self.init(.readSecurityObject, reason) }
}
