internal import Primitives

extension DataGroup {
  /// Deviations of a travel-document file from its specification.
  public enum Malformation: Error, Sendable, Equatable {
    /// The bytes end before a data object does.
    case truncated
    /// A tag or a length that no data object of a document has.
    case notDataObjects
    /// Another data object stands where this one belongs.
    case unexpectedTag(found: UInt32, expected: UInt32)
    /// A data object that must be there is absent.
    case missing(tag: UInt32)
    /// A data object that may occur once is repeated.
    case repeated(tag: UInt32)
    /// This many bytes follow the end of the data.
    case trailingBytes(count: Int)
    /// The value of this data object is malformed.
    case value(tag: UInt32)
    /// The contents of DG1 are not a machine readable zone.
    case zone(MRZ.Malformation)
    /// DG2 holds no picture in JPEG or JPEG 2000.
    case noImage

    init(_ error: TLVError) {
      self =
        switch error {
        case .truncated: .truncated
        case .invalidTag, .invalidLength: .notDataObjects
        case .unexpectedTag(let found, let expected):
          .unexpectedTag(found: found, expected: expected)
        case .missing(let tag): .missing(tag: tag)
        case .repeated(let tag): .repeated(tag: tag)
        case .invalidValue(let tag): .value(tag: tag)
        case .trailingBytes(let count): .trailingBytes(count: count)
        }
    }

    /// Runs a parser of data objects and converts its errors.
    static func parse<Value>(
      _ value: @autoclosure () throws(TLVError) -> Value
    ) throws(Malformation) -> Value {
      return try mapError(try value()) { Malformation($0) }
    }

    /// The contents of the object at the start of a file, which must have this tag. Bytes after the
    /// object are padding and are dropped.
    static func contents(
      of file: [UInt8], tag: UInt32
    ) throws(Malformation) -> TLVCursor {
      var cursor = TLVCursor(file)
      return try parse(try cursor.next(tag).contents)
    }
  }
}
