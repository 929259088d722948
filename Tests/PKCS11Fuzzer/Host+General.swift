internal import CIECard
internal import CPKCS11
internal import CiePKCS11
internal import Glibc

/// C_Initialize and the like, unsupported functions, and the outside world.
extension Host {
  mutating func initialize() {
    var arguments = CK_C_INITIALIZE_ARGS()
    arguments.flags = input.number()
    let given = input.byte()
    if given & 1 != 0 { arguments.CreateMutex = { _ in 0 } }
    if given & 2 != 0 { arguments.DestroyMutex = { _ in 0 } }
    if given & 4 != 0 { arguments.LockMutex = { _ in 0 } }
    if given & 8 != 0 { arguments.UnlockMutex = { _ in 0 } }
    if given & 16 != 0 { arguments.pReserved = UnsafeMutableRawPointer(memory.bytes(1)) }
    let place = memory.room(for: CK_C_INITIALIZE_ARGS.self)
    place?.pointee = arguments
    let isInitialized = expectAnswer(
      list.C_Initialize?(given & 32 != 0 ? nil : place), to: "C_Initialize")
    // Over PC/SC, without a reader: now and then for the rest of the input.
    guard isInitialized else { return }
    hasRoom = false
    guard given & 192 != 192 else { return }
    expectAnswer(list.C_Finalize?(nil), to: "C_Finalize")
    install()
  }

  mutating func finalize() {
    let reserved = input.isRare(4) ? memory.bytes(1) : nil
    expectAnswer(list.C_Finalize?(reserved), to: "C_Finalize")
  }

  mutating func getInfo() {
    let isNull = input.isRare(4)
    expectAnswer(list.C_GetInfo?(isNull ? nil : memory.room(for: CK_INFO.self)), to: "C_GetInfo")
    typealias List = UnsafeMutablePointer<CK_FUNCTION_LIST>?
    let place = isNull ? nil : memory.room(for: List.self)
    expectAnswer(list.C_GetFunctionList?(place), to: "C_GetFunctionList")
    expect(isNull || place?.pointee == FunctionList.pointer, "there is another list")
  }

  /// Any of the functions that a read-only token lacks, with any arguments: they read no memory.
  mutating func callUnsupported() {
    typealias Function = @convention(c) (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) -> CK_RV
    let unsupported = [
      unsafeBitCast(list.C_CopyObject, to: UInt.self),
      unsafeBitCast(list.C_Digest, to: UInt.self),
      unsafeBitCast(list.C_InitToken, to: UInt.self),
      unsafeBitCast(list.C_SeedRandom, to: UInt.self),
      unsafeBitCast(list.C_GenerateRandom, to: UInt.self),
      unsafeBitCast(list.C_GetFunctionStatus, to: UInt.self),
      unsafeBitCast(list.C_CancelFunction, to: UInt.self),
    ]
    let words = MemoryLayout<CK_FUNCTION_LIST>.size / MemoryLayout<UInt>.size
    let index = 1 + input.choice(of: words - 1)
    let entry = withUnsafeBytes(of: list) {
      $0.loadUnaligned(fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
    }
    expect(entry != 0, "function \(index) is null")
    guard unsupported.contains(entry) else { return }
    let function = unsafeBitCast(entry, to: Function.self)
    let drawn = (0..<8).map { _ in input.number() }
    expectAnswer(
      function(drawn[0], drawn[1], drawn[2], drawn[3], drawn[4], drawn[5], drawn[6], drawn[7]),
      to: "function \(index)")
  }

  /// Changes the readers.
  mutating func changeReaders() {
    let other = Self.names[input.choice(of: Self.names.count)]
    switch input.choice(of: 8) {
    case 0: room.remove(Self.reader)
    case 1: room.insert(card, Self.reader)
    case 2: room.touch(Self.reader)
    case 3: room.unplug(Self.reader)
    case 4: room.plugIn(Self.reader)
    case 5: room.plugIn(other)
    case 6: room.unplug(other)
    default: room.refuse(Self.refusals[input.choice(of: Self.refusals.count)])
    }
  }

  private static let names = [
    "", "A", "B", "C", "D", "E", String(repeating: "long ", count: 40),
    String(repeating: "\u{20AC}", count: 21) + "a\u{301}", "\u{0}",
  ]

  private static let refusals: [ChannelError?] = [
    nil, .noCard, .cardRemoved, .cardMute, .sharingViolation, .serviceStopped,
    .transmissionFailed(code: 1),
  ]
}
