internal import CPKCS11

/// Objects and their attributes.
extension Host {
  mutating func findObjectsInit() {
    let (template, count) = template()
    expectAnswer(
      list.C_FindObjectsInit?(session(), template, count), to: "C_FindObjectsInit")
  }

  /// There are three objects at most; a host with room for more passes its count.
  mutating func findObjects() {
    let most = input.number()
    let objects = input.isRare(8) ? nil : memory.room(for: UInt.self, min(Int(clamping: most), 3))
    let count = input.isRare(8) ? nil : memory.room(for: UInt.self)
    guard
      expectAnswer(list.C_FindObjects?(session(), objects, most, count), to: "C_FindObjects")
    else { return }
    expect(count.map { $0.pointee <= min(most, 3) } ?? false, "more objects than wanted")
  }

  mutating func findObjectsFinal() {
    expectAnswer(list.C_FindObjectsFinal?(session()), to: "C_FindObjectsFinal")
  }

  mutating func getAttributeValue() {
    let object = object()
    let (template, count) = template()
    expectAnswer(
      list.C_GetAttributeValue?(session(), object, template, count), to: "C_GetAttributeValue")
  }

  mutating func getObjectSize() {
    let place = input.isRare(8) ? nil : memory.room(for: UInt.self)
    expectAnswer(list.C_GetObjectSize?(session(), object(), place), to: "C_GetObjectSize")
  }

  mutating func object() -> UInt {
    input.isRare(4) ? input.number() : UInt(1 + input.choice(of: 3))
  }

  /// Some attributes, or an empty list, with the right count or one far too large.
  private mutating func template() -> (UnsafeMutablePointer<CK_ATTRIBUTE>?, UInt) {
    if input.isRare(8) { return (nil, input.number()) }
    let length = input.choice(of: 5)
    let template = memory.room(for: CK_ATTRIBUTE.self, length)
    for index in 0..<length { template?[index] = attribute() }
    // More than any object has: refused before the first is read.
    return (template, input.isRare(8) ? max(65, input.number()) : UInt(length))
  }

  private mutating func attribute() -> CK_ATTRIBUTE {
    let type = input.isRare(3) ? input.number() : Self.types[input.choice(of: Self.types.count)]
    switch input.choice(of: 8) {
    case 0: return CK_ATTRIBUTE(type: type, pValue: nil, ulValueLen: input.number())
    case 1: return attribute(type, holding: [input.byte()])
    case 2: return attribute(type, holding: withUnsafeBytes(of: input.number()) { Array($0) })
    case 3: return attribute(type, holding: Array("CIE".utf8))
    case 4: return CK_ATTRIBUTE(type: type, pValue: nil, ulValueLen: 0)
    default:
      let length = min(Int(clamping: input.number()), 5000)
      // At an unaligned address.
      let shift = input.choice(of: 2)
      let block = memory.bytes(length + shift)
      return CK_ATTRIBUTE(type: type, pValue: block.map { $0 + shift }, ulValueLen: UInt(length))
    }
  }

  private func attribute(_ type: UInt, holding value: [UInt8]) -> CK_ATTRIBUTE {
    CK_ATTRIBUTE(type: type, pValue: memory.copy(of: value), ulValueLen: UInt(value.count))
  }

  private static let types: [UInt] = [
    0, 1, 2, 3, 0x11, 0x80, 0x81, 0x82, 0x90, 0x100, 0x101, 0x102, 0x103, 0x108, 0x120, 0x121,
    0x122,
    0x123, 0x124, 0x166, 0x202, 0x4000_0600,
  ]
}
