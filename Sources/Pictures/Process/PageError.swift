public import CIECard

/// The reason why a page has no picture.
public enum PageError: Error, Sendable, Equatable {
  /// The program that draws pages is not there.
  case notInstalled
  /// The document is larger than `PageProcess.longestFile`.
  case tooLarge
  /// The drawing process crashed, took too much, or could not be started; or the document has no such page.
  case notDrawn
}

extension Diagnosis {
  /// A page cannot be shown; it can be signed.
  public init(_ error: PageError) {
    switch error {
    case .notInstalled: self.init(.internalFailure, "page-not-drawable")
    case .tooLarge: self.init(.usage, "page-too-large", advice: Message("page-not-shown.do"))
    case .notDrawn:
      self.init(.internalFailure, "page-not-drawn", advice: Message("page-not-shown.do"))
    }
  }
}

extension PageError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
