import CPKCS11
import PKCS11Fuzzer
import TestSupport
import Testing
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

/// The functions of the list, called as by a host: pointers, lengths, flags. One at a time, because a process has one
/// module.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FunctionTests {
  let list = FunctionList.pointer.pointee
  let room = Room()
  let card = VirtualCard(persona: .gemalto)

  /// Runs a body with a module that has one card.
  func withModule(_ body: () throws -> Void) throws {
    room.plugIn("R")
    room.insert(card, "R")
    try Installation.install(over: room)
    defer { #expect(list.C_Finalize(nil) == ReturnValue.ok.rawValue) }
    try body()
  }

  func open(_ flags: UInt = CKF_SERIAL_SESSION | CKF_RW_SESSION) -> UInt {
    var session: UInt = 0
    #expect(list.C_OpenSession(0, flags, nil, nil, &session) == 0)
    return session
  }

  func logIn(_ session: UInt, _ user: UInt = CKU_USER, _ code: String? = nil) -> UInt {
    var code = Array((code ?? card.persona.pin).utf8)
    return list.C_Login(session, user, &code, UInt(code.count))
  }

  private func tokenInfo() -> CK_TOKEN_INFO {
    var info = CK_TOKEN_INFO()
    #expect(list.C_GetTokenInfo(0, &info) == 0)
    return info
  }

  private func has(_ flags: UInt) -> Bool { tokenInfo().flags & flags == flags }

  func expect(
    _ value: ReturnValue, _ found: UInt, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(ReturnValue(rawValue: found) == value, sourceLocation: place)
  }

  @Test func `before C_Initialize and after C_Finalize all calls fail`() throws {
    var info = CK_INFO()
    expect(.cryptokiNotInitialized, list.C_GetInfo(&info))
    expect(.cryptokiNotInitialized, list.C_Finalize(nil))
    try withModule {
      expect(.cryptokiAlreadyInitialized, list.C_Initialize(nil))
      var byte: UInt8 = 0
      expect(.argumentsBad, list.C_Finalize(&byte))
      expect(.ok, list.C_GetInfo(&info))
      #expect(info.cryptokiVersion.major == 2 && info.cryptokiVersion.minor == 40)
    }
    expect(.cryptokiNotInitialized, list.C_GetInfo(&info))
  }

  @Test func `the choice of mutexes is made at the start`() {
    var arguments = CK_C_INITIALIZE_ARGS()
    arguments.LockMutex = { _ in 0 }
    expect(.argumentsBad, list.C_Initialize(&arguments))
    arguments.CreateMutex = { _ in 0 }
    arguments.DestroyMutex = { _ in 0 }
    arguments.UnlockMutex = { _ in 0 }
    expect(.cantLock, list.C_Initialize(&arguments))
    arguments.flags = CKF_OS_LOCKING_OK
    expect(.ok, list.C_Initialize(&arguments))
    expect(.ok, list.C_Finalize(nil))
  }

  @Test func `the token describes itself and its limits`() throws {
    try withModule {
      #expect(has(CKF_TOKEN_INITIALIZED | CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED))
      #expect(!has(CKF_PROTECTED_AUTHENTICATION_PATH))
      let (first, _) = (open(), open(CKF_SERIAL_SESSION))
      var info = tokenInfo()
      #expect((info.ulMinPinLen, info.ulMaxPinLen) == (8, 8))
      #expect((info.ulSessionCount, info.ulRwSessionCount) == (2, 1))
      #expect(info.ulMaxSessionCount >= 2 && info.ulMaxRwSessionCount >= 1)
      #expect(list.C_CloseSession(first) == 0)
      info = tokenInfo()
      #expect((info.ulSessionCount, info.ulRwSessionCount) == (1, 0))
      let serial = withUnsafeBytes(of: info.serialNumber) { String(decoding: $0, as: UTF8.self) }
      #expect(
        serial == card.persona.nis + String(repeating: " ", count: 16 - card.persona.nis.count))
    }
  }

  @Test func `what a card said of its tries outlives C_Finalize`() throws {
    let card = VirtualCard(
      persona: .st, options: try CardOptions(parsing: "no-counters=6982"))
    room.plugIn("R")
    room.insert(card, "R")
    for code in ["00000000", "00000000", card.persona.pin] {
      let isWrong = code != card.persona.pin
      try Installation.install(over: room)
      expect(isWrong ? .pinIncorrect : .pinLocked, logIn(open(), CKU_USER, code))
      #expect(list.C_Finalize(nil) == 0)
    }
    #expect(card.triesLeft.pin == 1)
  }

  @Test func `flags show the tries left of PIN and PUK, and the last is never spent`()
    throws
  {
    try withModule {
      let session = open()
      for (left, flags) in [(2, CKF_USER_PIN_COUNT_LOW), (1, CKF_USER_PIN_FINAL_TRY)] {
        expect(.pinIncorrect, logIn(session, CKU_USER, "00000000"))
        #expect(card.triesLeft.pin == left && has(flags) && !has(CKF_USER_PIN_LOCKED))
      }
      expect(.pinLocked, logIn(session))
      var (old, new) = (Array(card.persona.pin.utf8), Array("24681357".utf8))
      expect(.pinLocked, list.C_SetPIN(session, &old, 8, &new, 8))
      for left in (1...9).reversed() {
        expect(.pinIncorrect, logIn(session, CKU_SO, "00000000"))
        #expect(card.triesLeft.puk == left && has(CKF_SO_PIN_COUNT_LOW))
        #expect(has(CKF_SO_PIN_FINAL_TRY) == (left == 1) && !has(CKF_SO_PIN_LOCKED))
      }
      expect(.pinLocked, logIn(session, CKU_SO, card.persona.puk))
      #expect(card.triesLeft == (1, 1))
    }
  }

  @Test func `a code of another length is not cut, not padded, and not sent`() throws {
    try withModule {
      let session = open()
      for code in [card.persona.pin + "9", String(card.persona.pin.dropLast(3)), ""] {
        expect(.pinIncorrect, logIn(session, CKU_USER, code))
      }
      expect(.argumentsBad, list.C_Login(session, CKU_USER, nil, 8))
      #expect(card.log.counters.verifications == 0)
    }
  }

  @Test func `sessions are serial, and their handles are never used again`() throws {
    try withModule {
      var session: UInt = 0
      expect(
        .sessionParallelNotSupported,
        list.C_OpenSession(0, CKF_RW_SESSION, nil, nil, &session))
      expect(.argumentsBad, list.C_OpenSession(0, CKF_SERIAL_SESSION, nil, nil, nil))
      let first = open()
      expect(.ok, list.C_CloseSession(first))
      #expect(open() != first)
      expect(.sessionHandleInvalid, list.C_CloseSession(first))
      for _ in 1..<SessionTable.mostSessions { _ = open() }
      expect(.sessionCount, list.C_OpenSession(0, CKF_SERIAL_SESSION, nil, nil, &session))
      expect(.ok, list.C_CloseAllSessions(0))
      #expect(tokenInfo().ulSessionCount == 0)
    }
  }

  @Test func `the state of a session is that of its user`() throws {
    try withModule {
      let sessions = [open(CKF_SERIAL_SESSION), open()]
      func states() -> [UInt] {
        sessions.map { session in
          var info = CK_SESSION_INFO()
          #expect(list.C_GetSessionInfo(session, &info) == 0)
          return info.state
        }
      }
      #expect(states() == [CKS_RO_PUBLIC_SESSION, CKS_RW_PUBLIC_SESSION])
      expect(.ok, logIn(sessions[0]))
      #expect(states() == [CKS_RO_USER_FUNCTIONS, CKS_RW_USER_FUNCTIONS])
      expect(.ok, list.C_CloseAllSessions(0))
      // With them the login has ended.
      var info = CK_SESSION_INFO()
      expect(.ok, list.C_GetSessionInfo(open(), &info))
      #expect(info.state == CKS_RW_PUBLIC_SESSION)
    }
  }

  @Test func `a list is filled if it fits, else its length is returned`() throws {
    try withModule {
      var (slots, count) = ([UInt](repeating: 99, count: 4), UInt(3))
      expect(.bufferTooSmall, list.C_GetSlotList(0, &slots, &count))
      #expect(count == 4 && slots == [99, 99, 99, 99])
      expect(.ok, list.C_GetSlotList(1, nil, &count))
      #expect(count == 1)
      expect(.argumentsBad, list.C_GetSlotList(0, &slots, nil))
      count = 4
      expect(.ok, list.C_GetMechanismList(0, &slots, &count))
      #expect(
        Array(slots.prefix(Int(count)))
          == [CKM_RSA_PKCS, CKM_SHA256_RSA_PKCS, CKM_SHA384_RSA_PKCS, CKM_SHA512_RSA_PKCS].map {
            UInt($0)
          })
      var info = CK_MECHANISM_INFO()
      expect(.mechanismInvalid, list.C_GetMechanismInfo(0, CKM_RSA_X_509, &info))
    }
  }

  @Test func `unsupported functions report that, and no entry is missing`() throws {
    try withModule {
      let session = open()
      var (byte, digest) = (
        UInt8(0), CK_MECHANISM(mechanism: CKM_SHA256, pParameter: nil, ulParameterLen: 0)
      )
      expect(.functionNotSupported, list.C_DigestInit(session, &digest))
      expect(.operationNotInitialized, list.C_DigestUpdate(session, &byte, 1))
      expect(.functionNotParallel, list.C_CancelFunction(session))
      expect(.randomNoRNG, list.C_GenerateRandom(session, &byte, 1))
      expect(.randomNoRNG, list.C_SeedRandom(session, &byte, 1))
      withUnsafeBytes(of: list) { bytes in
        let step = MemoryLayout<UInt>.size
        for offset in stride(from: step, to: bytes.count, by: step) {
          #expect(bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self) != 0)
        }
      }
    }
  }

  @Test func `unsupported functions check module, session and arguments first`() throws {
    var (byte, object, label) = (UInt8(0), UInt(0), [UInt8](repeating: 0x20, count: 32))
    var digest = CK_MECHANISM(mechanism: CKM_SHA256, pParameter: nil, ulParameterLen: 0)
    var kind = CKO_DATA
    func askAll(_ session: UInt) -> [UInt] {
      [
        list.C_DigestInit(session, &digest), list.C_Digest(session, &byte, 1, nil, &object),
        list.C_DigestUpdate(session, &byte, 1), list.C_EncryptInit(session, &digest, 1),
        list.C_GenerateRandom(session, &byte, 1), list.C_SeedRandom(session, &byte, 1),
        list.C_CreateObject(session, nil, 0, &object), list.C_DestroyObject(session, 1),
        list.C_GetOperationState(session, nil, &object),
      ]
    }
    for answer in askAll(1) { expect(.cryptokiNotInitialized, answer) }
    expect(.cryptokiNotInitialized, list.C_InitToken(0, &byte, 1, &label))
    try withModule {
      for answer in askAll(99) { expect(.sessionHandleInvalid, answer) }
      expect(.slotIDInvalid, list.C_InitToken(99, &byte, 1, &label))
      expect(.functionNotSupported, list.C_InitToken(0, &byte, 1, &label))
      let session = open()
      expect(.argumentsBad, list.C_GenerateRandom(session, nil, 8))
      expect(.argumentsBad, list.C_SeedRandom(session, nil, 8))
      withUnsafeMutablePointer(to: &kind) { kind in
        var template = CK_ATTRIBUTE(
          type: UInt(CKA_VALUE), pValue: kind, ulValueLen: UInt(MemoryLayout<UInt>.size))
        expect(.argumentsBad, list.C_CreateObject(session, &template, 1, nil))
        expect(.argumentsBad, list.C_CreateObject(session, nil, 1, &object))
        expect(.templateIncomplete, list.C_CreateObject(session, &template, 0, &object))
        expect(.templateIncomplete, list.C_CreateObject(session, &template, 1, &object))
        template.type = UInt(CKA_CLASS)
        expect(.functionNotSupported, list.C_CreateObject(session, &template, 1, &object))
      }
    }
  }

  @Test func `the fuzzer's seeds end without a trap`() throws {
    let text = String(
      decoding: try Repository.read(Repository.path("Tests/PKCS11Fuzzer/seeds.txt")), as: UTF8.self)
    let inputs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(inputs.count > 10)
    for input in inputs { Host.play(try Hex.bytes(String(input))) }
  }
}
