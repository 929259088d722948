internal import CPCSCLite
internal import Primitives

extension PCSCContext {
  /// A card reader, and the card in it.
  public struct Reader: Sendable, Equatable {
    /// Its PC/SC name, the only property that distinguishes readers.
    public let name: String
    /// The answer to reset of the card in it; empty if the card is mute, nil without a card.
    public let answerToReset: [UInt8]?
    /// True if the service can communicate with it; if not, a card in it is not seen.
    public let isAvailable: Bool
    /// Number of insertions and removals since the service knows the reader, modulo 65 536: it
    /// changes even if the card was exchanged unnoticed (libpcsclite, the upper half of
    /// dwEventState).
    package let eventCount: UInt16

    /// A reader from another source than PC/SC.
    package init(name: String, answerToReset: [UInt8]?, isAvailable: Bool, eventCount: UInt16) {
      self.name = name
      self.answerToReset = answerToReset
      self.isAvailable = isAvailable
      self.eventCount = eventCount
    }

    fileprivate static func listed(in states: some Sequence<ReaderStatus>) -> [Reader] {
      states.filter { !$0.isGone }.map {
        Reader(
          name: $0.name, answerToReset: $0.hasCard ? $0.answerToReset : nil,
          isAvailable: !$0.isUnavailable, eventCount: $0.eventCount)
      }
    }
  }

  /// The connected readers, in the order of PC/SC.
  public func readers() throws(ChannelError) -> [Reader] {
    Reader.listed(in: try status(of: readerNames().map { ReaderStatus(name: $0) }) ?? [])
  }

  /// Waits until readers or cards differ from the known state. May return without a change.
  ///
  /// - Parameters:
  ///   - known: the result of `readers`.
  ///   - limit: the maximum time to wait.
  package func waitForChange(
    from known: [Reader], for limit: Duration
  ) throws(ChannelError) {
    let watched = (try readerNames() + [ReaderStatus.plugAndPlay]).map { ReaderStatus(name: $0) }
    let now = try status(of: watched) ?? watched
    guard Reader.listed(in: now.dropLast()) == known else { return }
    _ = try status(of: now.map(\.seen), changedWithin: limit)
  }

  func readerNames() throws(ChannelError) -> [String] {
    try call(.listReaders, within: patience.service) { service, context throws(PCSCFailure) in
      try service.listReaders(context)
    }
  }

  /// The states of the readers, or a change within the time limit; nil if nothing changes.
  func status(
    of readers: [ReaderStatus], changedWithin limit: Duration = .zero
  ) throws(ChannelError) -> [ReaderStatus]? {
    guard !readers.isEmpty else { return [] }
    let milliseconds = UInt32(clamping: Int64((limit / .milliseconds(1)).rounded(.up)))
    return try call(.getStatusChange, reader: readers[0].name, within: limit + patience.service) {
      service, context throws(PCSCFailure) in
      try service.statusChange(context, of: readers, milliseconds: milliseconds)
    }
  }

  /// Selection of a reader.
  public enum ReaderSelection: Sendable, Equatable {
    /// Any reader, namely the one with a card in it.
    case any
    /// The reader with this index in the list, counted from 0.
    case number(Int)
    /// The reader with exactly this name, otherwise one with this text in its name
    /// (case-insensitive): the only one, or the only one with a card in it.
    case named(String)
    /// The reader with this name and no other.
    case exactly(String)

    /// Parses the user's text: a whole number is an index in the list, anything else a name.
    public init(_ text: String) {
      self = Int(text).map(ReaderSelection.number) ?? .named(text)
    }

    /// The matching readers; empty if the selected one is not connected (yet).
    package func candidates(among readers: [String]) -> [String] {
      switch self {
      case .any:
        return readers
      case .number(let number):
        return readers.indices.contains(number) ? [readers[number]] : []
      case .named(let name):
        if readers.contains(name) { return [name] }
        let wanted = name.lowercased()
        return readers.filter { $0.lowercased().includes(wanted) }
      case .exactly(let name):
        return readers.contains(name) ? [name] : []
      }
    }

    /// The text as written; empty for any reader.
    package var text: String {
      switch self {
      case .any: ""
      case .number(let number): String(number)
      case .named(let name), .exactly(let name): name
      }
    }

    /// The error for a missing card when the time limit is over.
    ///
    /// - Parameters:
    ///   - candidates: the matching readers.
    ///   - readers: all connected readers.
    func missing(candidates: [String], readers: [String]) -> ChannelError {
      if readers.isEmpty { return .noReader }
      if candidates.isEmpty { return .readerNotFound(text) }
      // Several match, and it is not guessed which of them was meant.
      if self != .any, candidates.count > 1 { return .readerAmbiguous(text, candidates) }
      return .noCard
    }
  }
}

/// The state of a reader in SCardGetStatusChange.
struct ReaderStatus: Sendable, Equatable {
  /// The reader's name, or `ReaderStatus.plugAndPlay`.
  let name: String
  /// SCARD_STATE_ bits, and in the upper half the event counter (libpcsclite). 0: not known yet.
  var state: UInt32 = 0
  /// The answer to reset of the card in it; empty without one.
  var answerToReset: [UInt8] = []

  /// The name under which SCardGetStatusChange reports added and removed readers.
  static let plugAndPlay = #"\\?PnP?\Notification"#

  /// The number of events, modulo 65 536.
  var eventCount: UInt16 { UInt16(truncatingIfNeeded: state >> 16) }
  var hasCard: Bool { has(SCARD_STATE_PRESENT) }
  /// Some program is connected to the card in it.
  var isInUse: Bool { has(SCARD_STATE_INUSE) || has(SCARD_STATE_EXCLUSIVE) }
  var isGone: Bool { has(SCARD_STATE_UNKNOWN) }
  /// The reader is listed, but the service cannot communicate with it.
  var isUnavailable: Bool { has(SCARD_STATE_UNAVAILABLE) && !isGone }

  /// The reader with its state marked as known, to wait for a change of it.
  var seen: ReaderStatus {
    ReaderStatus(
      name: name, state: state & ~UInt32(SCARD_STATE_CHANGED), answerToReset: answerToReset)
  }

  private func has(_ bit: Int32) -> Bool { state & UInt32(bitPattern: bit) != 0 }
}
