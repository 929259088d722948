import Synchronization
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

/// Readers and software cards without any hardware.
final class Room: ReaderSource {
  private let state = Mutex(State())
  private let change = Mutex(Signal())

  private struct State {
    var readers: [PCSCContext.Reader] = []
    var cards: [String: VirtualCard] = [:]
    var refusal: ChannelError?
    var openings = 0
  }

  /// How often a card was opened.
  var openings: Int { state.withLock { $0.openings } }

  func plugIn(_ name: String) {
    edit { $0.readers.append(Self.reader(name, 0, isOccupied: false)) }
  }

  func unplug(_ name: String) { edit { $0.readers.removeAll { $0.name == name } } }

  /// Puts a card into a reader; the one that was there is gone.
  func insert(_ card: VirtualCard, _ name: String) {
    edit { state in
      state.cards[name] = card
      Self.touch(&state, name, isOccupied: true)
    }
  }

  func remove(_ name: String) {
    edit { state in
      state.cards[name] = nil
      Self.touch(&state, name, isOccupied: false)
    }
  }

  /// Lets every opening fail.
  func refuse(_ error: ChannelError?) { state.withLock { $0.refusal = error } }

  func readers() -> [PCSCContext.Reader] { state.withLock { $0.readers } }

  func open(_ reader: String, patience: CardPatience) throws(ChannelError) -> AnyCardChannel {
    let (refusal, card) = state.withLock { state in
      state.openings += 1
      return (state.refusal, state.cards[reader])
    }
    if let refusal { throw refusal }
    guard let card else { throw .noCard }
    return AnyCardChannel(VirtualCardChannel(card))
  }

  func waitForChange(from known: [PCSCContext.Reader], until cancellation: Cancellation) {
    let signal = change.withLock { $0 }
    cancellation.whenCancelled { signal.give() }
    guard readers() == known else { return }
    signal.wait(atMost: .seconds(60))
  }

  private func edit(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    change.withLock { signal in
      signal.give()
      signal = Signal()
    }
  }

  private static func touch(_ state: inout State, _ name: String, isOccupied: Bool) {
    guard let index = state.readers.firstIndex(where: { $0.name == name }) else { return }
    let count = state.readers[index].eventCount &+ 1
    state.readers[index] = reader(name, count, isOccupied: isOccupied)
  }

  private static func reader(_ name: String, _ count: UInt16, isOccupied: Bool)
    -> PCSCContext.Reader
  {
    PCSCContext.Reader(
      name: name, answerToReset: isOccupied ? [0x3B, 0x00] : nil, isAvailable: true,
      eventCount: count)
  }
}

/// A module with one reader and one card in it.
struct Desk: @unchecked Sendable {
  // Unchecked: the card is used under the lock of its keeper, and looked at when nobody uses it.
  let room = Room()
  let card: VirtualCard
  let persona: Persona
  let module: Module

  init(
    _ persona: Persona = .gemalto, faults: FaultPlan = FaultPlan(),
    options: CardOptions = CardOptions(), terms: CardTerms = CardTerms()
  ) {
    self.persona = persona
    card = VirtualCard(persona: persona, faults: faults, options: options)
    var settings = Settings()
    settings.terms = terms
    module = Module(room, settings)
    room.plugIn("R")
    room.insert(card, "R")
  }

  var verifications: Int { card.log.counters.verifications }

  func open(isReadWrite: Bool = true) throws -> UInt {
    try module.openSession(0, isReadWrite: isReadWrite)
  }

  func logIn(_ session: UInt, _ user: User = .user, _ code: String? = nil) throws {
    let digits = code ?? (user == .user ? persona.pin : persona.puk)
    try module.logIn(session, user, Secret([UInt8](digits.utf8)))
  }

  /// Begins and makes a signature.
  func sign(_ session: UInt, _ data: [UInt8], _ mechanism: SigningMechanism = .rsaPKCS) throws
    -> [UInt8]
  {
    try module.beginSignature(session, mechanism: mechanism.rawValue, key: 3)
    try module.signature(session).add(data)
    return try module.sign(session)
  }

  func find(_ session: UInt) throws -> [UInt] {
    try module.beginSearch(session) { _ in true }
    defer { try? module.with { (tables) throws(ReturnValue) in try tables.endSearch(session) } }
    return try module.with { (tables) throws(ReturnValue) in
      try tables.continueSearch(session, atMost: 9)
    }
  }
}
