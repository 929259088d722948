internal import CPKCS11
internal import VirtualCIE

/// Sessions and codes.
extension Host {
  /// The first session, or sometimes an invalid one.
  mutating func session() -> UInt { input.isRare(3) ? input.number() : 1 }

  mutating func openSession() {
    let slot = input.isRare(4) ? input.number() : 0
    let flags = input.isRare(4) ? input.number() : CKF_SERIAL_SESSION | CKF_RW_SESSION
    let place = input.isRare(8) ? nil : memory.room(for: UInt.self)
    expectAnswer(
      list.C_OpenSession?(slot, flags, memory.bytes(0), nil, place), to: "C_OpenSession")
  }

  mutating func closeSession() {
    expectAnswer(list.C_CloseSession?(session()), to: "C_CloseSession")
  }

  mutating func closeAllSessions() {
    let slot = input.isRare(4) ? input.number() : 0
    expectAnswer(list.C_CloseAllSessions?(slot), to: "C_CloseAllSessions")
  }

  mutating func getSessionInfo() {
    let place = input.isRare(8) ? nil : memory.room(for: CK_SESSION_INFO.self)
    guard expectAnswer(list.C_GetSessionInfo?(session(), place), to: "C_GetSessionInfo") else {
      return
    }
    expect(place.map { $0.pointee.state <= 4 } ?? false, "there is no such state")
  }

  mutating func login() {
    let user = input.isRare(8) ? input.number() : UInt(input.choice(of: 3))
    let (code, length) = code()
    giveCode()
    expectAnswer(list.C_Login?(session(), user, code, length), to: "C_Login")
  }

  mutating func logout() { expectAnswer(list.C_Logout?(session()), to: "C_Logout") }

  mutating func initPIN() {
    let (code, length) = code()
    expectAnswer(list.C_InitPIN?(session(), code, length), to: "C_InitPIN")
  }

  mutating func setPIN() {
    let ((old, oldLength), (new, newLength)) = (code(), code())
    // VERIFY and CHANGE REFERENCE DATA both compare the old one.
    for _ in 0..<2 { giveCode() }
    expectAnswer(
      list.C_SetPIN?(session(), old, oldLength, new, newLength), to: "C_SetPIN")
  }

  /// A code, or a host's idea of one. A code that is not eight bytes long must not be read, so there is one byte.
  private mutating func code() -> (UnsafeMutablePointer<UInt8>?, UInt) {
    switch input.choice(of: 8) {
    case 0, 1: (memory.copy(of: Array(card.persona.pin.utf8)), 8)
    case 2: (memory.copy(of: Array(card.persona.puk.utf8)), 8)
    case 3: (memory.copy(of: Array("24681357".utf8)), 8)
    case 4: (memory.bytes(8, input.byte()), 8)
    case 5: (nil, input.number())
    default: wrongLength()
    }
  }

  private mutating func wrongLength() -> (UnsafeMutablePointer<UInt8>?, UInt) {
    let length = input.number()
    return (memory.bytes(length == 8 ? 8 : 1), length)
  }
}
