/// The PC/SC functions that this program needs, over plain values.
///
/// Implemented by libpcsclite, and by a script in the tests for cases that no virtual reader can
/// produce (readers plugged in and unplugged, drivers with properties, rare return codes). The
/// names are those of PC/SC part 5 and 6.
protocol PCSCService: Sendable {
  /// SCardEstablishContext.
  func establishContext() throws(PCSCFailure) -> Int
  /// SCardReleaseContext; also disconnects what is still connected.
  func releaseContext(_ context: Int)
  /// SCardCancel: ends a running `statusChange` of this context; may be called from any thread.
  func cancel(_ context: Int)
  /// SCardListReaders; empty if there are none.
  func listReaders(_ context: Int) throws(PCSCFailure) -> [String]
  /// SCardGetStatusChange: waits until a reader is no longer in the given state.
  ///
  /// - Returns: the readers with their new states, or nil after the time limit.
  func statusChange(
    _ context: Int, of readers: [ReaderStatus], milliseconds: UInt32
  ) throws(PCSCFailure) -> [ReaderStatus]?
  /// SCardConnect, shared.
  func connect(
    _ context: Int, reader: String, protocols: Set<CardProtocol>
  ) throws(PCSCFailure) -> CardConnection
  /// SCardBeginTransaction: waits for as long as another program holds one.
  func beginTransaction(_ card: Int) throws(PCSCFailure)
  /// The answer to reset, from SCardStatus.
  func answerToReset(_ card: Int) throws(PCSCFailure) -> [UInt8]
  func transmit(_ command: [UInt8], to card: CardConnection) throws(PCSCFailure) -> [UInt8]
  func control(_ card: Int, code: UInt32, input: [UInt8]) throws(PCSCFailure) -> [UInt8]
  /// SCardEndTransaction with SCARD_RESET_CARD.
  func endTransactionWithReset(_ card: Int) throws(PCSCFailure)
  func disconnect(_ card: Int, _ disposition: CardDisposition)
}

/// A connection to a card: the handle and the negotiated protocol.
struct CardConnection: Sendable, Equatable {
  let handle: Int
  let activeProtocol: CardProtocol
}

/// Action on a card when its connection is closed, by pcsclite's number.
enum CardDisposition: UInt, Sendable {
  case leave = 0
  case reset
  case unpower
}

/// Protocols by pcsclite's bits.
enum CardProtocol: UInt, Sendable {
  /// Characters (ISO/IEC 7816-3 §10).
  case t0 = 1
  /// Blocks (ISO/IEC 7816-3 §11); also what contactless readers announce.
  case t1 = 2
  case raw = 4
}

/// A PC/SC function that returned another code than SCARD_S_SUCCESS.
struct PCSCFailure: Error, Equatable {
  let function: PCSCFunction
  /// The return code, its low 32 bits.
  let code: UInt32
}

/// The PC/SC functions that can fail.
enum PCSCFunction: String, Sendable, CaseIterable {
  case establishContext = "SCardEstablishContext"
  case listReaders = "SCardListReaders"
  case getStatusChange = "SCardGetStatusChange"
  case connect = "SCardConnect"
  case beginTransaction = "SCardBeginTransaction"
  case status = "SCardStatus"
  case transmit = "SCardTransmit"
  case control = "SCardControl"
  case endTransaction = "SCardEndTransaction"
}
