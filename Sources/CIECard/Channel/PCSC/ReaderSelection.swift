/// Which reader is meant.
public enum ReaderSelection: Sendable, Equatable {
  /// The one with a card in it, of all there are.
  case any
  /// The one with this place in the list of readers, counted from 0.
  case number(Int)
  /// The one with exactly this name, or else the only one with this in its name (letter case does not matter).
  case named(String)

  /// What a person wrote: a whole number is a place in the list, all else a name.
  public init(_ text: String) {
    self = Int(text).map(ReaderSelection.number) ?? .named(text)
  }

  /// The readers that fit; none when the one meant is not connected (yet).
  ///
  /// - Throws: `readerAmbiguous` when a name fits several.
  package func candidates(among readers: [String]) throws(ChannelError) -> [String] {
    switch self {
    case .any:
      return readers
    case .number(let number):
      return readers.indices.contains(number) ? [readers[number]] : []
    case .named(let name):
      if readers.contains(name) { return [name] }
      let wanted = name.lowercased()
      let fitting = readers.filter { $0.lowercased().contains(wanted) }
      guard fitting.count <= 1 else { throw .readerAmbiguous(name, fitting) }
      return fitting
    }
  }

  /// Why there is no card: what to say when the time for one is over.
  func missing(candidates: [String], readers: [String]) -> ChannelError {
    if readers.isEmpty { return .noReader }
    guard candidates.isEmpty else { return .noCard }
    switch self {
    case .any: return .noReader
    case .number(let number): return .readerNotFound(String(number))
    case .named(let name): return .readerNotFound(name)
    }
  }
}
