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

    /// What a person wrote: a whole number is a place in the list, all else a name.
    public init(_ text: String) {
      self = Int(text).map(PCSCContext.ReaderSelection.number) ?? .named(text)
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
      }
    }

    /// What was written; empty for any reader.
    package var text: String {
      switch self {
      case .any: ""
      case .number(let number): String(number)
      case .named(let name): name
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
