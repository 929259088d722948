/// A page cannot be read. Its content is not repeated here.
package enum PageError: Error, Sendable, Equatable {
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
  case tooManyElements(limit: Int)
  case tooManyAttributes(limit: Int)
  /// Reading it takes more work than this, for its size: texts in texts in texts.
  case tooComplicated(limit: Int)
  case empty
}
