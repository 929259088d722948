import CIECard
import Messages

/// The service, its readers, and the cards on them.
struct ReaderCheck {
  let selection: PCSCContext.ReaderSelection
  let conversation: Conversation
  let session: Session

  /// Readers by a part of their names that carry short APDUs alone, or are no good with the driver of Linux (the list of
  /// the CCID driver, readers/supported_readers.txt).
  static let shortReaders = ["ACR122"]

  var findings: [DoctorFinding] {
    let readers: [PCSCContext.Reader]
    do throws(ChannelError) {
      let context = try PCSCContext()
      defer { session.interruption.forget() }
      readers = try session.interruption.cancelling({ context.cancel() }) {
        () throws(ChannelError) in
        try context.readers()
      }
    } catch { return [DoctorFinding("service", Diagnosis(error))] }
    let service = DoctorFinding("service", .ok, Message("doctor.service.running"))
    let names = selection.candidates(among: readers.map(\.name))
    let meant = readers.filter { names.contains($0.name) }
    guard !meant.isEmpty else {
      let error: ChannelError = readers.isEmpty ? .noReader : .readerNotFound(selection.text)
      return [service, DoctorFinding("reader", Diagnosis(error))]
    }
    return [service] + meant.flatMap(findings)
  }

  private func findings(of reader: PCSCContext.Reader) -> [DoctorFinding] {
    guard reader.isAvailable else {
      return [DoctorFinding("reader", Diagnosis(ChannelError.readerUnavailable(reader.name)))]
    }
    let name = reader.name
    let isShort = Self.shortReaders.contains { name.contains($0) }
    let found =
      isShort
      ? DoctorFinding(
        "reader", .warning, Message("doctor.reader.short", ["reader": name]),
        remedy: Message("doctor.reader.short.do"))
      : DoctorFinding("reader", .ok, Message("doctor.reader.found", ["reader": name]))
    guard let atr = reader.answerToReset else {
      return [
        found,
        DoctorFinding(
          "card", .warning, Message("doctor.card.none", ["reader": name]),
          remedy: Message("doctor.card.none.do")),
      ]
    }
    guard !atr.isEmpty else {
      return [found, DoctorFinding("card", Diagnosis(ChannelError.cardMute))]
    }
    return [found] + cardFindings(in: .reader(.exactly(name), wait: .zero))
  }

  /// What a card says without a PIN.
  func cardFindings(in source: CardSource) -> [DoctorFinding] {
    var conversation = conversation
    conversation.source = source
    do throws(Failure) {
      return try conversation.perform(in: session) { (card, random, _) throws(Failure) in
        do throws(CardError) { return try Self.findings(of: card, &random) } catch {
          throw .card(error)
        }
      }
    } catch { return [DoctorFinding("card", Diagnosis(error))] }
  }

  private static func findings(
    of card: consuming SessionCard, _ random: inout SessionRandom
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
      let tries = try card.readTries(random: &random)
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
    case nil: DoctorFinding(name, .ok, Message("doctor.tries.untold", ["code": label]))
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
