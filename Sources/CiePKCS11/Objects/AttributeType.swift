/// The attributes that the token's objects have (PKCS #11 v2.40 §4), by their numbers.
enum AttributeType: UInt {
  case objectClass = 0x000
  case token = 0x001
  case isPrivate = 0x002
  case label = 0x003
  case value = 0x011
  case certificateType = 0x080
  case issuer = 0x081
  case serialNumber = 0x082
  case trusted = 0x086
  case certificateCategory = 0x087
  case javaMIDPSecurityDomain = 0x088
  case checkValue = 0x090
  case keyType = 0x100
  case subject = 0x101
  case id = 0x102
  case sensitive = 0x103
  case encrypt = 0x104
  case decrypt = 0x105
  case wrap = 0x106
  case unwrap = 0x107
  case sign = 0x108
  case signRecover = 0x109
  case verify = 0x10A
  case verifyRecover = 0x10B
  case derive = 0x10C
  case startDate = 0x110
  case endDate = 0x111
  case modulus = 0x120
  case modulusBits = 0x121
  case publicExponent = 0x122
  case privateExponent = 0x123
  case prime1 = 0x124
  case prime2 = 0x125
  case exponent1 = 0x126
  case exponent2 = 0x127
  case coefficient = 0x128
  case publicKeyInfo = 0x129
  case extractable = 0x162
  case local = 0x163
  case neverExtractable = 0x164
  case alwaysSensitive = 0x165
  case keyGenMechanism = 0x166
  case modifiable = 0x170
  case copyable = 0x171
  case destroyable = 0x172
  case alwaysAuthenticate = 0x202
  case wrapWithTrusted = 0x210
  case allowedMechanisms = 0x4000_0600
}

/// The value of an attribute, or the reason why it is withheld.
enum AttributeValue: Equatable {
  /// The bytes in the host's representation: text, DER, numbers in native byte order.
  case bytes([UInt8])
  /// It exists and never leaves the card.
  case sensitive

  /// CK_BBOOL.
  static func flag(_ value: Bool) -> AttributeValue { .bytes([value ? 1 : 0]) }

  /// CK_ULONG.
  static func number(_ value: UInt) -> AttributeValue {
    .bytes(withUnsafeBytes(of: value) { Array($0) })
  }

  /// Characters without a terminator.
  static func text(_ value: String) -> AttributeValue { .bytes(Array(value.utf8)) }
}
