/// A page cannot be read. What it holds is not repeated here.
public enum PageError: Error, Sendable, Equatable {
  /// It is longer than this many bytes.
  case tooLarge(limit: Int)
  /// Its elements are nested deeper than this.
  case tooDeep(limit: Int)
  /// It has more elements than this.
  case tooManyElements(limit: Int)
  /// An element has more attributes than this.
  case tooManyAttributes(limit: Int)
  /// It holds no element.
  case empty
}
