import TestSupport
import Testing
import VirtualCIE

@testable import CIECard

extension RealReader {
  /// Card and terminal of OpenPACE's cryptography, over pcscd; `Tests/Peers/README.md` has the matrix.
  @Suite struct Peers {
    @Test(arguments: PeerCombination.Cipher.allCases)
    func `the peers understand each other`(_ cipher: PeerCombination.Cipher) throws {
      let card = try PeerCard()
      let combinations = PeerCombination.every(cipher)
      #expect(combinations.count == 14)
      let readings = try PeerTerminal.readings(
        password: "--can=\(card.facts.can)", files: card.facts.files.keys.sorted(),
        combinations.flatMap { ["--combination", "\($0)"] })
      #expect(readings.map(\.combination) == combinations.map(\.description))
      #expect(readings.map(\.cardAccess) == combinations.map { Hex.text($0.cardAccess) })
      #expect(readings.allSatisfy { $0.files == card.facts.files })
    }

    @Test(arguments: PeerCombination.Cipher.allCases, [AccessCode.Kind.can, .mrz])
    func `our client opens the peer's card`(
      _ cipher: PeerCombination.Cipher, _ kind: AccessCode.Kind
    ) throws {
      let card = try PeerCard()
      let reading = try PeerReading(card.facts)
      for combination in PeerCombination.every(cipher) {
        let (access, files) = try reading.files(combination, by: kind)
        #expect(access == .pace(name: combination.protocolName))
        #expect(files == card.facts.files, "\(combination)")
      }
      withExtendedLifetime(card) {}
    }

    @Test(arguments: [AccessCode.Kind.pin, .puk])
    func `our client opens the peer's card with its secrets`(_ kind: AccessCode.Kind) throws {
      let card = try PeerCard()
      let reading = try PeerReading(card.facts)
      for combination in [PeerCombination.field, .curve] {
        #expect(try reading.files(combination, by: kind).files == card.facts.files)
      }
      withExtendedLifetime(card) {}
    }

    /// The card announces longer answers than it gives, and answers 6700 until a shorter one is requested.
    @Test(arguments: PeerCombination.Cipher.allCases)
    func `our client steps down to the peer card's lengths`(
      _ cipher: PeerCombination.Cipher
    ) throws {
      let card = try PeerCard(["--announce", "20000"])
      let combination = PeerCombination(mapping: .ellipticCurve, cipher: cipher, parameter: 12)
      let files = try PeerReading(card.facts).files(combination, by: .can).files
      #expect(files == card.facts.files)
    }

    @Test func `a wrong CAN is reported as such`() throws {
      let card = try PeerCard()
      let reading = try PeerReading(card.facts)
      for cipher in PeerCombination.Cipher.allCases {
        let wanted = PeerCombination(mapping: .ellipticCurve, cipher: cipher, parameter: 12)
        #expect(throws: CardError(.openAccess, .wrongAccessCode(.can, triesLeft: nil))) {
          try reading.files(wanted, by: .can, can: "000000")
        }
        #expect(try reading.files(wanted, by: .can).files == card.facts.files)
      }
      let result = try PeerTerminal.run(password: "--can=000000")
      #expect(result.exitStatus == 1)
      #expect(result.errors == "PACE: Failure: GENERAL AUTHENTICATE 4: status 6300\n")
    }

    @Test(arguments: PeerCombination.Cipher.allCases)
    func `the peer's terminal opens our card`(_ cipher: PeerCombination.Cipher) throws {
      let persona = Persona.unknown
      let card = try InsertedCard(becomingWhatIsAsked: persona)
      let files = try persona.documentFiles.mapValues(FileSummary.init)
      #expect(files.count >= 6)
      let combinations = PeerCombination.every(cipher)
      let readings = try PeerTerminal.readings(
        password: "--can=\(persona.can)", files: files.keys.sorted(),
        combinations.flatMap { ["--combination", "\($0)"] })
      #expect(readings.map(\.combination) == combinations.map(\.description))
      #expect(readings.map(\.cardAccess) == combinations.map { Hex.text($0.cardAccess) })
      #expect(readings.allSatisfy { $0.files == files })
      withExtendedLifetime(card) {}
    }

    @Test(arguments: Persona.all.map(\.identifier))
    func `the peer's terminal opens every persona's card`(_ identifier: String) throws {
      let persona = try #require(Persona.named(identifier))
      let card = try InsertedCard(becomingWhatIsAsked: persona)
      let files = try persona.documentFiles.mapValues(FileSummary.init)
      for password in ["--can=\(persona.can)", "--mrz=\(persona.mrzLines.joined())"] {
        let readings = try PeerTerminal.readings(password: password, files: files.keys.sorted())
        #expect(readings.map(\.files) == [files])
      }
      withExtendedLifetime(card) {}
    }

    @Test(arguments: PeerCombination.Cipher.allCases)
    func `our card refuses the peer's wrong CAN`(_ cipher: PeerCombination.Cipher) throws {
      let card = try InsertedCard(becomingWhatIsAsked: .gemalto)
      let wanted = PeerCombination(mapping: .ellipticCurve, cipher: cipher, parameter: 12)
      let result = try PeerTerminal.run(
        password: "--can=000000", ["--combination", "\(wanted)"])
      #expect(result.exitStatus == 1)
      #expect(
        result.errors == "\(wanted): Failure: GENERAL AUTHENTICATE 4: status 6300\n")
      withExtendedLifetime(card) {}
    }
  }
}

extension PeerCombination {
  /// The usual announcement of CIEs.
  fileprivate static let field = PeerCombination(
    mapping: .finiteField, cipher: .tripleDES, parameter: 2)
  /// The announcement of other documents.
  fileprivate static let curve = PeerCombination(
    mapping: .ellipticCurve, cipher: .aes128, parameter: 12)
}
