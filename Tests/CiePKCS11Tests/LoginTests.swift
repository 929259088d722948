import Glibc
import PKCS11Fuzzer
import Testing
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

/// Login and logout: the commands to the card, the omitted ones, and the answers to hosts.
@Suite(.timeLimit(.minutes(20))) struct LoginTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func `one VERIFY for a login and eleven signatures`(_ name: String) throws {
    let desk = Desk(try #require(Persona.named(name)))
    let session = try desk.open()
    try desk.logIn(session)
    let afterLogin = desk.card.log.entries.count
    for _ in 0..<11 { _ = try desk.sign(session, [1, 2, 3], .sha256RSAPKCS) }
    #expect(desk.verifications == 1)
    #expect(desk.card.log.counters.holderSignatures == 11)
    // Two commands a signature, and a third for the rest of the answer if the card uses short ones.
    #expect(desk.card.log.entries.count <= afterLogin + 33)
    // Among them the services number once more, to check that it is the card that the PIN was typed for.
    #expect(afterLogin <= 50, "\(afterLogin) commands up to the login")
  }

  @Test(arguments: ["1234", "123456789", "abcdefgh", "1234567x"])
  func `a code that is not eight digits never reaches the card`(_ code: String) throws {
    let desk = Desk()
    let session = try desk.open()
    let openings = desk.room.openings
    for user in [User.user, .securityOfficer] {
      #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, user, code) }
    }
    #expect(throws: ReturnValue.pinIncorrect) { try desk.module.logIn(session, .user, nil) }
    #expect(desk.room.openings == openings)
  }

  @Test func `a wrong PIN costs one try and sets the flags`() throws {
    let desk = Desk()
    let session = try desk.open()
    #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, .user, "00000000") }
    #expect(try desk.triesLeft().pin == 2)
    #expect(desk.verifications == 1)
    try desk.logIn(session)
    #expect(try desk.triesLeft().pin == nil)
  }

  @Test func `the last try is never spent`() throws {
    let desk = Desk()
    let session = try desk.open()
    for _ in 0..<2 {
      #expect(throws: ReturnValue.pinIncorrect) { try desk.logIn(session, .user, "00000000") }
    }
    for code in ["00000000", desk.persona.pin] {
      #expect(throws: ReturnValue.pinLocked) { try desk.logIn(session, .user, code) }
    }
    #expect(desk.verifications == 2)
    #expect(try desk.triesLeft().pin == 1)
  }

  @Test func `of several simultaneous logins one sends VERIFY`() throws {
    let desk = Desk()
    let session = try desk.open()
    let answers = Lock([ReturnValue]())
    let ends = (0..<4).map { _ in Signal() }
    for end in ends {
      // Separate threads, because tasks might wait for each other before they begin.
      DetachedThread.start {
        let answer = ReturnValue.of { () throws(ReturnValue) in
          try desk.module.logIn(session, .user, Secret([UInt8](desk.persona.pin.utf8)))
        }
        answers.withLock { $0.append(answer) }
        end.signal()
      }
    }
    for end in ends { end.wait(atMost: .seconds(50)) }
    let found = answers.withLock { $0 }
    #expect(found.count { $0 == .ok } == 1)
    #expect(found.count { $0 == .userAlreadyLoggedIn } == 3)
    #expect(desk.verifications == 1)
  }

  @Test func `the PIN requires a chip with the State's signature`() throws {
    // The built-in anchors, by which a test authority is unknown.
    let unknown = Desk(terms: CardTerms())
    for user in [User.user, .securityOfficer] {
      let session = try unknown.open()
      #expect(throws: ReturnValue.deviceError) { try unknown.logIn(session, user) }
      #expect(unknown.verifications == 0)
    }
    let known = Desk()
    try known.logIn(try known.open())
    var terms = CardTerms()
    terms.skipsGenuineCheck = true
    let skipped = Desk(terms: terms)
    try skipped.logIn(try skipped.open())
    // A chip that does not hold its key is rejected in any case.
    let cloned = Desk(
      faults: try FaultPlan(parsing: "wrong-authentication-signature"), terms: terms)
    #expect(throws: ReturnValue.deviceError) { try cloned.logIn(cloned.open()) }
    #expect(cloned.verifications == 0)
  }

  @Test func `a logged-in user is not asked again, and two users exclude each other`() throws {
    let desk = Desk()
    let session = try desk.open()
    try desk.logIn(session)
    #expect(throws: ReturnValue.userAlreadyLoggedIn) { try desk.logIn(session) }
    #expect(throws: ReturnValue.userAnotherAlreadyLoggedIn) {
      try desk.logIn(session, .securityOfficer)
    }
    try desk.module.logOut(session)
    #expect(throws: ReturnValue.userNotLoggedIn) { try desk.module.logOut(session) }
    #expect(throws: ReturnValue.operationNotInitialized) {
      try desk.logIn(session, .contextSpecific)
    }
    let reading = try desk.open(isReadWrite: false)
    #expect(throws: ReturnValue.sessionReadOnlyExists) { try desk.logIn(session, .securityOfficer) }
    try desk.module.closeSession(reading)
    try desk.logIn(session, .securityOfficer)
    #expect(throws: ReturnValue.sessionReadWriteSOExists) { _ = try desk.open(isReadWrite: false) }
    #expect(desk.verifications == 2)
  }

  @Test func `an idle card is released, and the login ends`() throws {
    var terms = CardTerms.ofSoftwareCards
    // After a signature the idle time after the login does not apply any more.
    terms.idleAfterLogin = .seconds(86_400)
    terms.idleAfterSignature = .milliseconds(50)
    let desk = Desk(terms: terms)
    let session = try desk.open()
    try desk.logIn(session)
    #expect(try desk.find(session) == [1, 2, 3])
    // By now the thread that watches the time waits for the end of that day.
    usleep(300_000)
    try desk.module.beginSignature(session, mechanism: 1, key: 3)
    try desk.module.signature(session).add([1])
    _ = try desk.module.sign(session)
    while try desk.module.session(session).state != 2, !Task.isCancelled {}
    #expect(try desk.find(session) == [1, 2])
    #expect(throws: ReturnValue.userNotLoggedIn) {
      try desk.module.beginSignature(session, mechanism: 1, key: 3)
    }
    try desk.logIn(session)
    #expect(desk.verifications == 2)
  }

  @Test func `closing the last session ends the login`() throws {
    let desk = Desk()
    let (first, second) = (try desk.open(), try desk.open())
    try desk.logIn(first)
    try desk.module.closeSession(first)
    #expect(try desk.module.session(second).state == 3)
    try desk.module.closeSession(second)
    #expect(try desk.module.session(try desk.open()).state == 2)
  }

  @Test func `a PIN is changed, and reset by the PUK`() throws {
    let desk = Desk()
    let (session, reading) = (try desk.open(), try desk.open(isReadWrite: false))
    let new = "24681357"
    func change(_ handle: UInt, _ old: String, _ fresh: String) throws {
      try desk.module.setPIN(
        handle, from: Secret([UInt8](old.utf8)), to: Secret([UInt8](fresh.utf8)))
    }
    #expect(throws: ReturnValue.sessionReadOnly) { try change(reading, desk.persona.pin, new) }
    #expect(throws: ReturnValue.pinLenRange) { try change(session, desk.persona.pin, "abcdefgh") }
    #expect(throws: ReturnValue.pinIncorrect) { try change(session, "00000000", new) }
    #expect(desk.verifications == 1)
    try change(session, desk.persona.pin, new)
    try desk.module.closeSession(reading)
    #expect(throws: ReturnValue.userNotLoggedIn) {
      try desk.module.initPIN(session, to: Secret([UInt8](new.utf8)))
    }
    try desk.logIn(session, .securityOfficer)
    try desk.module.initPIN(session, to: Secret([UInt8](desk.persona.pin.utf8)))
    try desk.module.logOut(session)
    try desk.logIn(session)
  }
}
