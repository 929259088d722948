import Dispatch
import Synchronization
import Testing

@testable import CIECard

/// A PC/SC service that follows a script, for events that no virtual reader produces.
///
/// Strict: calls come in the order of the script; any other fails with a unique code. Releasing and disconnecting
/// cannot fail, so they are not scripted but noted.
final class ScriptedService: PCSCService {
  enum Reply: Sendable {
    case fails(Int)
    case done
    case names([String])
    case states([ReaderStatus])
    case timeIsOver
    case connected(CardProtocol)
    case bytes([UInt8])
    /// Does not return before a call of SCardCancel; then fails with SCARD_E_CANCELLED.
    case waitsForCancel
    /// Does not return until the test signals it; then gives the reply.
    indirect case waits(for: DispatchSemaphore, then: Reply)
  }

  private struct State {
    var script: [(PCSCFunction, Reply)]
    var notes: [String] = []
  }

  static let unscripted: UInt32 = 0xDEAD_BEEF
  private let state: Mutex<State>
  private let cancelled = DispatchSemaphore(value: 0)

  /// A script that begins after the context is established.
  init(_ script: [(PCSCFunction, Reply)]) {
    state = Mutex(State(script: [(.establishContext, .done)] + script))
  }

  /// A service that cannot be reached.
  init(establishingFails code: Int) {
    state = Mutex(State(script: [(.establishContext, .fails(code))]))
  }

  /// The other calls, and the details of requests.
  var notes: [String] { state.withLock { $0.notes } }
  /// True if the whole script was called.
  var isFinished: Bool { state.withLock { $0.script.isEmpty } }

  private func note(_ text: String) { state.withLock { $0.notes.append(text) } }

  private func reply(to function: PCSCFunction) throws(PCSCFailure) -> Reply {
    let next = state.withLock { $0.script.isEmpty ? nil : $0.script.removeFirst() }
    guard let next, next.0 == function else {
      Issue.record("\(function.rawValue) instead of \(next?.0.rawValue ?? "nothing")")
      throw PCSCFailure(function: function, code: Self.unscripted)
    }
    return try played(next.1, function)
  }

  private func played(_ reply: Reply, _ function: PCSCFunction) throws(PCSCFailure) -> Reply {
    switch reply {
    case .fails(let code):
      throw PCSCFailure(function: function, code: UInt32(truncatingIfNeeded: code))
    case .waitsForCancel:
      cancelled.wait()
      throw PCSCFailure(function: function, code: 0x8010_0002)
    case .waits(let semaphore, let then):
      semaphore.wait()
      return try played(then, function)
    case .done, .names, .states, .timeIsOver, .connected, .bytes:
      return reply
    }
  }

  func establishContext() throws(PCSCFailure) -> Int {
    _ = try reply(to: .establishContext)
    return 1
  }
  func releaseContext(_ context: Int) { note("release") }
  func cancel(_ context: Int) { cancelled.signal() }

  func listReaders(_ context: Int) throws(PCSCFailure) -> [String] {
    guard case .names(let names) = try reply(to: .listReaders) else { return [] }
    return names
  }

  func statusChange(
    _ context: Int, of readers: [ReaderStatus], milliseconds: UInt32
  ) throws(PCSCFailure) -> [ReaderStatus]? {
    note(readers.map { "\($0.name):\(String($0.state, radix: 16))" }.joined(separator: " "))
    guard case .states(let states) = try reply(to: .getStatusChange) else { return nil }
    return states
  }

  func connect(
    _ context: Int, reader: String, protocols: Set<CardProtocol>
  ) throws(PCSCFailure) -> CardConnection {
    note(protocols == [.raw] ? "raw" : "T=0 or T=1")
    guard case .connected(let active) = try reply(to: .connect) else {
      throw PCSCFailure(function: .connect, code: Self.unscripted)
    }
    return CardConnection(handle: 7, activeProtocol: active)
  }

  func beginTransaction(_ card: Int) throws(PCSCFailure) { _ = try reply(to: .beginTransaction) }
  func answerToReset(_ card: Int) throws(PCSCFailure) -> [UInt8] { try bytes(.status) }
  func transmit(_ command: [UInt8], to card: CardConnection) throws(PCSCFailure) -> [UInt8] {
    note(command.map { String($0, radix: 16) }.joined(separator: " "))
    return try bytes(.transmit)
  }
  func control(_ card: Int, code: UInt32, input: [UInt8]) throws(PCSCFailure) -> [UInt8] {
    note(String(code, radix: 16))
    return try bytes(.control)
  }
  func endTransactionWithReset(_ card: Int) throws(PCSCFailure) {
    _ = try reply(to: .endTransaction)
  }
  func disconnect(_ card: Int, _ disposition: CardDisposition) {
    switch disposition {
    case .leave: note("disconnect")
    case .reset: note("disconnect, reset")
    case .unpower: note("disconnect, unpower")
    }
  }

  private func bytes(_ function: PCSCFunction) throws(PCSCFailure) -> [UInt8] {
    guard case .bytes(let bytes) = try reply(to: function) else { return [] }
    return bytes
  }
}

extension ReaderStatus {
  /// SCARD_STATE_EMPTY, SCARD_STATE_CHANGED.
  static func empty(_ name: String) -> ReaderStatus { ReaderStatus(name: name, state: 0x12) }
  /// SCARD_STATE_PRESENT, SCARD_STATE_CHANGED.
  static func occupied(_ name: String) -> ReaderStatus {
    ReaderStatus(name: name, state: 0x22, answerToReset: [0x3B, 0x00])
  }
  /// SCARD_STATE_PRESENT, SCARD_STATE_INUSE, SCARD_STATE_CHANGED.
  static func inUse(_ name: String) -> ReaderStatus { ReaderStatus(name: name, state: 0x122) }
  /// SCARD_STATE_UNKNOWN, SCARD_STATE_UNAVAILABLE, SCARD_STATE_CHANGED.
  static func gone(_ name: String) -> ReaderStatus { ReaderStatus(name: name, state: 0x0E) }
  /// SCARD_STATE_UNAVAILABLE, SCARD_STATE_CHANGED.
  static func unavailable(_ name: String) -> ReaderStatus { ReaderStatus(name: name, state: 0x0A) }
  /// A reader came or went: SCARD_STATE_CHANGED.
  static let listChanged = ReaderStatus(name: plugAndPlay, state: 0x02)
  static let listUnchanged = ReaderStatus(name: plugAndPlay)
}
