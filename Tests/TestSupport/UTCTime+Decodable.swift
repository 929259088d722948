public import CIECard

/// In the vectors a moment is a number of seconds.
extension UTCTime: Decodable {
  /// Reads the number.
  public init(from decoder: any Decoder) throws {
    self.init(seconds: try decoder.singleValueContainer().decode(Int64.self))
  }
}
