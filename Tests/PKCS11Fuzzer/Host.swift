internal import CIECard
internal import CPKCS11
internal import CiePKCS11
internal import VirtualCIE

/// A badly behaved host: it calls the functions of the module in the order, and with the arguments, of an input.
///
/// It obeys one rule of C: a length that the module may read or write is backed by as much memory. Arguments that the
/// module must refuse unread, such as a code that is not eight bytes long, have less.
package struct Host {
  var input: Input
  let list = FunctionList.pointer.pointee
  let memory = HostBlocks()
  let room = Room()
  let card: VirtualCard
  /// The number of times that the card may have compared a code.
  private(set) var codesGiven = 0
  /// True if the readers are those of the room, not those of PC/SC.
  var hasRoom = false

  /// The limit of calls for one input.
  private static let mostCalls = 100
  static let reader = "Reader"

  /// Plays an input from the start; afterwards there is no module, as before.
  package static func play(_ bytes: [UInt8]) {
    var host = Host(Input(bytes))
    host.begin()
    for _ in 0..<mostCalls where !host.input.isAtEnd { host.call() }
    host.end()
  }

  private init(_ input: Input) {
    var input = input
    let faults = Self.faults[input.choice(of: Self.faults.count)]
    card = VirtualCard(
      persona: input.isRare(8) ? .st : .gemalto, random: SeededRandom(seed: "fuzzer"),
      faults: (try? FaultPlan(parsing: faults)) ?? FaultPlan())
    self.input = input
    room.plugIn(Self.reader)
    room.insert(card, Self.reader)
  }

  /// The card without a fault is the most fruitful one.
  private static let faults = [
    "", "", "", "", "", "", "", "", "wrong-signature", "wrong-authentication-signature",
    "card-removed@88:1", "card-mute@20:1", "truncated-answer@40", "status=6F00@22:9",
    "endless-61xx@B0:9", "wrong-mac@30",
  ]

  /// An input need not find the login by itself.
  private mutating func begin() {
    let steps = [0, 1, 2, 2, 2, 3, 3, 3][input.choice(of: 8)]
    if steps > 0 { install() }
    var session: UInt = 0
    if steps > 1 {
      let flags = CKF_SERIAL_SESSION | CKF_RW_SESSION
      expectAnswer(list.C_OpenSession?(0, flags, nil, nil, &session), to: "C_OpenSession")
    }
    if steps > 2 {
      let pin = memory.copy(of: Array(card.persona.pin.utf8))
      giveCode()
      expectAnswer(list.C_Login?(session, CKU_USER, pin, 8), to: "C_Login")
    }
  }

  /// A module over the software card instead of PC/SC.
  mutating func install() {
    hasRoom = (try? Installation.install(over: room)) != nil || hasRoom
  }

  mutating func giveCode() { codesGiven += 1 }

  private func end() {
    expectAnswer(list.C_Finalize?(nil), to: "C_Finalize")
    var info = CK_INFO()
    let value = list.C_GetInfo?(&info)
    expect(value == CK_RV(CKR_CRYPTOKI_NOT_INITIALIZED), "there is a module after C_Finalize")
  }

  private mutating func call() {
    switch input.choice(of: 32) {
    case 0: initialize()
    case 1: finalize()
    case 2: getInfo()
    case 3: getSlotList()
    case 4: getSlotInfo()
    case 5: getTokenInfo()
    case 6: getMechanismList()
    case 7: getMechanismInfo()
    case 8: waitForSlotEvent()
    case 9: openSession()
    case 10: closeSession()
    case 11: closeAllSessions()
    case 12: getSessionInfo()
    case 13: login()
    case 14: logout()
    case 15: initPIN()
    case 16: setPIN()
    case 17, 18: findObjectsInit()
    case 19: findObjects()
    case 20: findObjectsFinal()
    case 21, 22: getAttributeValue()
    case 23: getObjectSize()
    case 24, 25: signInit()
    case 26, 27: sign()
    case 28: signUpdate()
    case 29: signFinal()
    case 30: callUnsupported()
    default: changeReaders()
    }
  }
}
