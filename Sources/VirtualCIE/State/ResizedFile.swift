extension CardOptions {
  /// A file's content with as many bytes more or less as `extraBytes` has, as far as the form of the file allows: its
  /// readers still find a valid object. A data group then no longer has the hash in EF.SOD.
  func sized(_ identifier: UInt16, _ content: [UInt8]) -> [UInt8] {
    guard let extra = extraBytes[identifier] else { return content }
    let form: (Int) -> [UInt8]? =
      switch identifier {
      case 0x1003: { Self.certificate(content, extra: $0) }
      case FileSystem.identitySecurityObject, FileSystem.securityObject:
        { Self.securityObject(content, extra: $0) }
      default: { Self.dataGroup(content, extra: $0) }
      }
    // Headers grow with their contents.
    return (extra - 24...extra).lazy.reversed().compactMap(form)
      .first { $0.count == content.count + extra } ?? content
  }

  /// A longer or shorter signature of the issuer, which is not on the card to verify it (RFC 5280 §4.1.1.3).
  private static func certificate(_ content: [UInt8], extra: Int) -> [UInt8]? {
    guard let members = BERObject.single(0x30, content).flatMap({ BERObject.list($0.value) }),
      members.count == 3, members[2].value.count + extra > 1
    else { return nil }
    let signature = members[2].value.prefix(members[2].value.count + min(extra, 0))
    return BERObject.encode(
      0x30, members[0].encoded, members[1].encoded,
      BERObject.encode(0x03, signature + [UInt8](repeating: 0, count: max(extra, 0))))
  }

  /// An unsigned attribute of the signer, of a type without meaning (RFC 5652 §5.3).
  private static func securityObject(_ content: [UInt8], extra: Int) -> [UInt8]? {
    guard extra >= 0, let info = BERObject.single(0x77, content),
      let parts = BERObject.single(0x30, info.value).flatMap({ BERObject.list($0.value) }),
      parts.count == 2,
      let data = BERObject.single(0x30, parts[1].value).flatMap({ BERObject.list($0.value) }),
      let signers = data.last, signers.tag == 0x31,
      let signer = BERObject.single(0x30, signers.value)
    else { return nil }
    let attribute = BERObject.encode(
      0xA1,
      BERObject.encode(
        0x30, [0x06, 0x03, 0x2A, 0x03, 0x04],
        BERObject.encode(
          0x31, BERObject.encode(0x04, [UInt8](repeating: 0, count: extra)))))
    let changed = BERObject.encode(0x31, BERObject.encode(0x30, signer.value, attribute))
    return BERObject.encode(
      0x77,
      BERObject.encode(
        0x30, parts[0].encoded,
        BERObject.encode(
          parts[1].tag,
          BERObject.encode(0x30, data.dropLast().flatMap(\.encoded), changed))))
  }

  /// An object of discretionary data at the end (ISO/IEC 7816-6, tag 53).
  private static func dataGroup(_ content: [UInt8], extra: Int) -> [UInt8]? {
    guard extra >= 0, let objects = BERObject.list(content), let group = objects.first,
      objects.count == 1
    else { return nil }
    let filler = BERObject.encode(0x53, [UInt8](repeating: 0, count: extra))
    return BERObject.encode(group.tag, group.value, filler)
  }
}
