internal import CPCSCLite
internal import Glibc

/// The PC/SC service of this machine, through libpcsclite.
struct LibPCSCLite: PCSCService {
  func establishContext() throws(PCSCFailure) -> Int {
    var context: SCARDCONTEXT = 0
    try check(
      .establishContext, SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context))
    return Int(context)
  }

  func releaseContext(_ context: Int) {
    SCardReleaseContext(SCARDCONTEXT(context))
  }

  func cancel(_ context: Int) {
    SCardCancel(SCARDCONTEXT(context))
  }

  func listReaders(_ context: Int) throws(PCSCFailure) -> [String] {
    // Readers may be added between the query of the length and the query of the names, so try a few
    // times.
    var result = SCARD_E_INSUFFICIENT_BUFFER
    for _ in 0..<4 where result == SCARD_E_INSUFFICIENT_BUFFER {
      var length: DWORD = 0
      result = SCardListReaders(SCARDCONTEXT(context), nil, nil, &length)
      guard result == SCARD_S_SUCCESS else { break }
      var names = [CChar](repeating: 0, count: Int(length))
      result = SCardListReaders(SCARDCONTEXT(context), nil, &names, &length)
      guard result == SCARD_S_SUCCESS else { continue }
      return names.split(separator: 0).map {
        String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
    }
    if result == SCARD_E_NO_READERS_AVAILABLE { return [] }
    try check(.listReaders, result)
    return []
  }

  func statusChange(
    _ context: Int, of readers: [ReaderStatus], milliseconds: UInt32
  ) throws(PCSCFailure) -> [ReaderStatus]? {
    let names = readers.map { strdup($0.name) }
    defer { names.forEach { free($0) } }
    var states = zip(names, readers).map { name, reader in
      var state = SCARD_READERSTATE()
      state.szReader = UnsafePointer(name)
      state.dwCurrentState = DWORD(reader.state)
      return state
    }
    let result = SCardGetStatusChange(
      SCARDCONTEXT(context), DWORD(milliseconds), &states, DWORD(states.count))
    if result == SCARD_E_TIMEOUT { return nil }
    try check(.getStatusChange, result)
    return zip(readers, states).map { reader, state in
      ReaderStatus(
        name: reader.name, state: UInt32(truncatingIfNeeded: state.dwEventState),
        answerToReset: withUnsafeBytes(of: state.rgbAtr) { Array($0.prefix(Int(state.cbAtr))) })
    }
  }

  func connect(
    _ context: Int, reader: String, protocols: Set<CardProtocol>
  ) throws(PCSCFailure) -> CardConnection {
    var handle: SCARDHANDLE = 0
    var active: DWORD = 0
    let wanted = protocols.reduce(0) { $0 | DWORD($1.rawValue) }
    try check(
      .connect,
      SCardConnect(
        SCARDCONTEXT(context), reader, DWORD(SCARD_SHARE_SHARED), wanted, &handle, &active)
    )
    return CardConnection(
      handle: Int(handle), activeProtocol: CardProtocol(rawValue: UInt(active)) ?? .raw)
  }

  func beginTransaction(_ card: Int) throws(PCSCFailure) {
    try check(.beginTransaction, SCardBeginTransaction(SCARDHANDLE(card)))
  }

  func answerToReset(_ card: Int) throws(PCSCFailure) -> [UInt8] {
    var atr = [UInt8](repeating: 0, count: Int(MAX_ATR_SIZE))
    var length = DWORD(atr.count)
    try check(.status, SCardStatus(SCARDHANDLE(card), nil, nil, nil, nil, &atr, &length))
    return Array(atr.prefix(Int(length)))
  }

  func transmit(_ command: [UInt8], to card: CardConnection) throws(PCSCFailure) -> [UInt8] {
    var sent = SCARD_IO_REQUEST(
      dwProtocol: DWORD(card.activeProtocol.rawValue),
      cbPciLength: DWORD(MemoryLayout<SCARD_IO_REQUEST>.size))
    let (result, response) = withUnsafeTemporaryAllocation(
      byteCount: Self.longestResponse, alignment: 1
    ) { buffer -> (LONG, [UInt8]) in
      var length = DWORD(buffer.count)
      let result = SCardTransmit(
        SCARDHANDLE(card.handle), &sent, command, DWORD(command.count), nil,
        buffer.assumingMemoryBound(to: UInt8.self).baseAddress, &length)
      return (result, result == SCARD_S_SUCCESS ? Array(buffer.prefix(Int(length))) : [])
    }
    try check(.transmit, result)
    return response
  }

  func control(_ card: Int, code: UInt32, input: [UInt8]) throws(PCSCFailure) -> [UInt8] {
    // Part 10 answers are a few dozen bytes; libpcsclite itself carries no more than about 64 kB.
    var output = [UInt8](repeating: 0, count: 1024)
    var length: DWORD = 0
    try check(
      .control,
      SCardControl(
        SCARDHANDLE(card), DWORD(code), input, DWORD(input.count), &output, DWORD(output.count),
        &length))
    return Array(output.prefix(Int(length)))
  }

  func endTransactionWithReset(_ card: Int) throws(PCSCFailure) {
    try check(.endTransaction, SCardEndTransaction(SCARDHANDLE(card), DWORD(SCARD_RESET_CARD)))
  }

  func disconnect(_ card: Int, _ disposition: CardDisposition) {
    SCardDisconnect(SCARDHANDLE(card), DWORD(disposition.rawValue))
  }

  /// 65 536 data bytes and the status word: an extended response with the greatest Ne (ISO/IEC 7816-4 §5.1).
  private static let longestResponse = 65_536 + 2

  private func check(_ function: PCSCFunction, _ result: LONG) throws(PCSCFailure) {
    guard result == SCARD_S_SUCCESS else {
      throw PCSCFailure(function: function, code: UInt32(truncatingIfNeeded: result))
    }
  }
}
