extension PCSCContext {
  /// A card reader and what lies on it.
  public struct Reader: Sendable, Equatable {
    /// Its name, as PC/SC gives it: the one thing that tells readers apart.
    public let name: String
    /// The answer to reset of the card in it; empty when the card is mute, nil when there is none.
    public let answerToReset: [UInt8]?
    /// Whether the service can speak to it; where not, no card in it is seen.
    public let isAvailable: Bool
  }
}

extension PCSCContext {
  /// The readers that are connected, in the order of PC/SC; empty when there are none.
  public func readers() throws(ChannelError) -> [PCSCContext.Reader] {
    let states = try status(of: readerNames().map { ReaderStatus(name: $0) }) ?? []
    return states.filter { !$0.isGone }.map {
      PCSCContext.Reader(
        name: $0.name, answerToReset: $0.hasCard ? $0.answerToReset : nil,
        isAvailable: !$0.isUnavailable)
    }
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
