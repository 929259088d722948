import PKCS11Fuzzer
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

extension CardTerms {
  /// The terms of a host that trusts the test authorities of the software cards.
  static var ofSoftwareCards: CardTerms {
    var terms = CardTerms()
    terms.trust = try? TrustStore(Persona.everyone.map { try Certificate(der: $0.csca) })
    // Long enough that even a slow machine neither checks a card again nor lets it go: a busy one
    // has kept eight threads from their next signature for more than the ten seconds.
    terms.longestGap = .seconds(3600)
    terms.idleAfterLogin = .seconds(3600)
    terms.idleAfterSignature = .seconds(3600)
    return terms
  }
}

/// A module with one reader and one card in it.
struct Desk: @unchecked Sendable {
  // Unchecked: the card is used under the lock of its keeper, and inspected only while it is not in use.
  let room = Room()
  let card: VirtualCard
  let persona: Persona
  let module: Module

  init(
    _ persona: Persona = .gemalto, faults: FaultPlan = FaultPlan(),
    options: CardOptions = CardOptions(), terms: CardTerms = .ofSoftwareCards,
    tries: KnownTries = KnownTries()
  ) {
    self.persona = persona
    card = VirtualCard(persona: persona, faults: faults, options: options)
    var settings = Settings()
    settings.terms = terms
    module = Module(room, settings, tries)
    room.plugIn("R")
    room.insert(card, "R")
  }

  var verifications: Int { card.log.counters.verifications }

  /// The tries left of PIN and PUK, from the flags of the token.
  func triesLeft() throws -> (pin: Int?, puk: Int?) {
    try module.triesLeft(module.token(0).1)
  }

  func open(isReadWrite: Bool = true) throws -> UInt {
    try module.openSession(0, isReadWrite: isReadWrite)
  }

  func logIn(_ session: UInt, _ user: User = .user, _ code: String? = nil) throws {
    let digits = code ?? (user == .user ? persona.pin : persona.puk)
    try module.logIn(session, user, Secret([UInt8](digits.utf8)))
  }

  /// Initialises and makes a signature.
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
