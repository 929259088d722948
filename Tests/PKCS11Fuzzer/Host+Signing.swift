internal import CPKCS11

/// Signatures.
extension Host {
  mutating func signInit() {
    let types: [UInt] = [0x01, 0x40, 0x41, 0x42]
    let type = input.isRare(4) ? input.number() : types[input.choice(of: types.count)]
    let length = input.isRare(4) ? input.number() : 0
    let parameter = input.isRare(4) ? memory.bytes(1) : nil
    let mechanism = input.isRare(8) ? nil : memory.room(for: CK_MECHANISM.self)
    mechanism?.pointee = CK_MECHANISM(
      mechanism: type, pParameter: parameter, ulParameterLen: length)
    let key = input.isRare(4) ? object() : 3
    expectAnswer(list.C_SignInit?(session(), mechanism, key), to: "C_SignInit")
  }

  mutating func sign() {
    let (data, count) = data()
    finish("C_Sign") { [list] session, signature, length in
      list.C_Sign?(session, data, count, signature, length)
    }
  }

  mutating func signUpdate() {
    let (data, count) = data()
    expectAnswer(list.C_SignUpdate?(session(), data, count), to: "C_SignUpdate")
  }

  mutating func signFinal() {
    finish("C_SignFinal") { [list] in list.C_SignFinal?($0, $1, $2) }
  }

  private mutating func data() -> (UnsafeMutablePointer<UInt8>?, UInt) {
    if input.isRare(8) { return (nil, input.number()) }
    let length = min(Int(clamping: input.number()), 200_000)
    return (memory.bytes(length, input.byte()), UInt(length))
  }

  private mutating func finish(
    _ name: String,
    _ function: (UInt, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>?) -> CK_RV?
  ) {
    let given: UInt = input.isRare(3) ? input.number() : 256
    let signature = input.isRare(4) ? nil : memory.bytes(min(Int(clamping: given), 256), 0)
    let length = input.isRare(8) ? nil : memory.room(for: UInt.self)
    length?.pointee = given
    let isMade = expectAnswer(function(session(), signature, length), to: name)
    guard isMade, let length else { return }
    expect(length.pointee == 256, "\(name): \(length.pointee) bytes")
    guard let signature else { return }
    expect(given >= 256, "\(name) has written too much")
    expect((0..<256).contains { signature[$0] != 0 }, "\(name) has written nothing")
  }
}
