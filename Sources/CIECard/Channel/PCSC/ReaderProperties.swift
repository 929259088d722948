internal import CPCSCLite

/// What a reader's driver tells about itself (PC/SC part 10 §2.6: FEATURE_GET_TLV_PROPERTIES).
enum ReaderProperties {
  /// SCardControl's code for the list of features (PC/SC part 10 §2.2: CM_IOCTL_GET_FEATURE_REQUEST);
  /// libpcsclite's form of it, SCARD_CTL_CODE(3400).
  static let featureRequest: UInt32 = 0x4200_0000 + 3400

  /// The control code for the properties, from the list of features; nil when the driver has none.
  ///
  /// Every feature is a tag, the length 4 and a control code, big-endian (PC/SC part 10 §2.2).
  static func propertiesRequest(in features: [UInt8]) -> UInt32? {
    guard let value = value(of: UInt8(FEATURE_GET_TLV_PROPERTIES), in: features), value.count == 4
    else { return nil }
    return value.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// What the properties say of extended length (PC/SC part 10 §2.6.14: dwMaxAPDUDataSize, tag 0A).
  ///
  /// The number is little-endian; up to 256 means that only short APDUs are carried.
  static func extendedLength(in properties: [UInt8]) -> ChannelTraits.ExtendedLength {
    guard let value = value(of: 0x0A, in: properties), (1...4).contains(value.count) else {
      return .unknown
    }
    let size = value.reversed().reduce(0) { $0 << 8 | Int($1) }
    return size <= 256 ? .notCarried : .carried(maximumDataLength: min(size, 65_536))
  }

  /// The value of a tag in a list of one-byte tags and lengths; nil when it is absent or cut off.
  private static func value(of tag: UInt8, in list: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = list[...]
    while let found = rest.popFirst(), let length = rest.popFirst(), rest.count >= length {
      if found == tag { return rest.prefix(Int(length)) }
      rest = rest.dropFirst(Int(length))
    }
    return nil
  }
}
