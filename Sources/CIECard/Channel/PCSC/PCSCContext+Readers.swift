internal import CPCSCLite

extension PCSCContext {
  /// A card reader and what lies on it.
  public struct Reader: Sendable, Equatable {
    /// Its name, as PC/SC gives it: the one thing that tells readers apart.
    public let name: String
    /// The answer to reset of the card in it; empty when the card is mute, nil when there is none.
    public let answerToReset: [UInt8]?
    /// Whether the service can speak to it; where not, no card in it is seen.
    public let isAvailable: Bool
    /// How often a card came or went since the service knows the reader, modulo 65 536: an exchange that nobody saw
    /// changes it (libpcsclite, the upper half of dwEventState).
    package let eventCount: UInt16

    /// A reader as somebody else than PC/SC tells of it.
    package init(name: String, answerToReset: [UInt8]?, isAvailable: Bool, eventCount: UInt16) {
      self.name = name
      self.answerToReset = answerToReset
      self.isAvailable = isAvailable
      self.eventCount = eventCount
    }

    /// What is told of the readers that are there.
    fileprivate static func listed(in states: some Sequence<ReaderStatus>) -> [Reader] {
      states.filter { !$0.isGone }.map {
        Reader(
          name: $0.name, answerToReset: $0.hasCard ? $0.answerToReset : nil,
          isAvailable: !$0.isUnavailable, eventCount: $0.eventCount)
      }
    }
  }
}

extension PCSCContext {
  /// The readers that are connected, in the order of PC/SC; empty when there are none.
  public func readers() throws(ChannelError) -> [Reader] {
    Reader.listed(in: try status(of: readerNames().map { ReaderStatus(name: $0) }) ?? [])
  }

  /// Waits until readers, or what lies in them, are no longer as they were. May return without such a change.
  ///
  /// - Parameters:
  ///   - known: what `readers` said.
  ///   - limit: how long to wait at most.
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

  /// What the readers are in, or go over to within the time given; nil when nothing changes.
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
}

extension PCSCContext {
  /// Which reader is meant.
  public enum ReaderSelection: Sendable, Equatable {
    /// The one with a card in it, of all there are.
    case any
    /// The one with this place in the list of readers, counted from 0.
    case number(Int)
    /// The one with exactly this name, or else one with this in its name (letter case does not matter): the only one,
    /// or the only one with a card in it.
    case named(String)
    /// The one with this name and no other.
    case exactly(String)

    /// What a person wrote: a whole number is a place in the list, all else a name.
    public init(_ text: String) {
      self = Int(text).map(ReaderSelection.number) ?? .named(text)
    }

    /// The readers that fit; none when the one meant is not connected (yet).
    package func candidates(among readers: [String]) -> [String] {
      switch self {
      case .any:
        return readers
      case .number(let number):
        return readers.indices.contains(number) ? [readers[number]] : []
      case .named(let name):
        if readers.contains(name) { return [name] }
        let wanted = name.lowercased()
        return readers.filter { $0.lowercased().contains(wanted) }
      case .exactly(let name):
        return readers.contains(name) ? [name] : []
      }
    }

    /// What was written; empty for any reader.
    package var text: String {
      switch self {
      case .any: ""
      case .number(let number): String(number)
      case .named(let name), .exactly(let name): name
      }
    }

    /// Why there is no card: what to say when the time for one is over.
    ///
    /// - Parameters:
    ///   - candidates: the readers that fit.
    ///   - readers: all that there are.
    func missing(candidates: [String], readers: [String]) -> ChannelError {
      if readers.isEmpty { return .noReader }
      if candidates.isEmpty { return .readerNotFound(text) }
      // Which of them would have got the card is not guessed.
      if self != .any, candidates.count > 1 { return .readerAmbiguous(text, candidates) }
      return .noCard
    }
  }
}

/// One reader as SCardGetStatusChange tells it.
struct ReaderStatus: Sendable, Equatable {
  /// The reader's name, or `ReaderStatus.plugAndPlay`.
  let name: String
  /// SCARD_STATE_ bits, and in the upper half a count of the events so far (libpcsclite). 0: not known yet.
  var state: UInt32 = 0
  /// The answer to reset of the card in it; empty without one.
  var answerToReset: [UInt8] = []

  /// The name under which SCardGetStatusChange tells that a reader came or went.
  static let plugAndPlay = #"\\?PnP?\Notification"#

  /// How many events there were, modulo 65 536.
  var eventCount: UInt16 { UInt16(truncatingIfNeeded: state >> 16) }
  /// A card lies in it, mute or not.
  var hasCard: Bool { has(SCARD_STATE_PRESENT) }
  /// Some program is connected to the card in it.
  var isInUse: Bool { has(SCARD_STATE_INUSE) || has(SCARD_STATE_EXCLUSIVE) }
  /// The service knows no such reader, or not any more.
  var isGone: Bool { has(SCARD_STATE_UNKNOWN) }
  /// The reader is listed, and the service cannot speak to it.
  var isUnavailable: Bool { has(SCARD_STATE_UNAVAILABLE) && !isGone }

  /// The same reader, its state as one that is known: what to wait for a change of.
  var seen: ReaderStatus {
    ReaderStatus(
      name: name, state: state & ~UInt32(SCARD_STATE_CHANGED), answerToReset: answerToReset)
  }

  private func has(_ bit: Int32) -> Bool { state & UInt32(bitPattern: bit) != 0 }
}
