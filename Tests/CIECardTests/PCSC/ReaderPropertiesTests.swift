import Testing

@testable import CIECard

/// PC/SC part 10: the driver's properties, which are outside data too.
@Suite struct ReaderPropertiesTests {
  /// FEATURE_VERIFY_PIN_DIRECT, FEATURE_GET_TLV_PROPERTIES, FEATURE_CCID_ESC_COMMAND.
  static let features: [UInt8] = [
    0x06, 0x04, 0x42, 0x33, 0x00, 0x06, 0x12, 0x04, 0x42, 0x33, 0x00, 0x12, 0x13, 0x04, 0x42, 0,
    0, 1,
  ]

  @Test func `the request for properties is found among the features`() {
    #expect(ReaderProperties.propertiesRequest(in: Self.features) == 0x4233_0012)
    #expect(ReaderProperties.propertiesRequest(in: []) == nil)
    #expect(ReaderProperties.propertiesRequest(in: [0x12, 0x02, 0x42, 0x33]) == nil)
  }

  @Test func `a keypad is a separate feature`() {
    #expect(ReaderProperties.hasKeypad(Self.features))
    #expect(!ReaderProperties.hasKeypad([UInt8](Self.features.dropFirst(6))))
    #expect(!ReaderProperties.hasKeypad([0x06]))
  }

  @Test(
    arguments: [
      ([0x0A, 4, 0x00, 0x00, 0x01, 0x00], .carried(maximumDataLength: 65_536)),
      ([0x0A, 4, 0x05, 0x01, 0x00, 0x00], .carried(maximumDataLength: 261)),
      ([0x0A, 2, 0x05, 0x01], .carried(maximumDataLength: 261)),
      ([0x0A, 4, 0xFF, 0xFF, 0xFF, 0xFF], .carried(maximumDataLength: 65_536)),
      ([0x0A, 4, 0x00, 0x01, 0x00, 0x00], .notCarried),
      ([0x0A, 4, 0x00, 0x00, 0x00, 0x00], .notCarried),
      ([0x01, 2, 9, 9, 0x0A, 4, 0, 8, 0, 0, 0x0B, 2, 1, 2], .carried(maximumDataLength: 2048)),
      ([], .unknown),
      ([0x0A], .unknown),
      ([0x0A, 0], .unknown),
      ([0x0A, 5, 1, 1, 1, 1, 1], .unknown),
      ([0x0A, 4, 0, 8, 0], .unknown),
      ([0x01, 200, 0x0A, 4, 0, 8, 0, 0], .unknown),
    ] as [([UInt8], ChannelTraits.ExtendedLength)])
  func `the greatest length is read, or unknown`(
    _ properties: [UInt8], _ expected: ChannelTraits.ExtendedLength
  ) {
    #expect(ReaderProperties.extendedLength(in: properties) == expected)
  }

  @Test func `no answer of a driver is a trap`() {
    for length in 0...Self.features.count {
      _ = ReaderProperties.propertiesRequest(in: Array(Self.features.prefix(length)))
      for index in 0..<length {
        for value in [UInt8.min, 1, 0x7F, 0x80, 0xFF] {
          var changed = Array(Self.features.prefix(length))
          changed[index] = value
          _ = ReaderProperties.propertiesRequest(in: changed)
          _ = ReaderProperties.extendedLength(in: changed)
        }
      }
    }
  }
}
