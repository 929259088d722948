import CIECard

extension ChipFamily {
  /// The hint, for people.
  public var text: Message { Message("chip.\(rawValue)") }
}

extension CardApplication {
  /// Its name, for people.
  public var text: Message { Message("application.\(rawValue)") }
}
