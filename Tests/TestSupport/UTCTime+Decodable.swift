public import CIECard

/// In the vectors a moment is a number of seconds.
extension UTCTime: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(seconds: try decoder.singleValueContainer().decode(Int64.self))
  }
}
