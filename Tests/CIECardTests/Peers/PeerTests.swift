import TestSupport
import Testing

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

    @Test(arguments: PeerCombination.Cipher.allCases)
    func `our client opens the peer's card`(_ cipher: PeerCombination.Cipher) throws {
      let card = try PeerCard()
      let context = try PCSCContext()
      for combination in PeerCombination.every(cipher) {
        var channel = try context.connect(to: PCSCRig.readers[0])
        #expect(try channel.transmit(combination.command) == [0x90, 0])
        // The master file's EF.CardAccess by its short identifier, Doc 9303-10 section 3.11.3.
        let access = try channel.transmit([0x00, 0xB0, 0x9C, 0x00, 0x00])
        #expect(access == combination.cardAccess + [0x90, 0], "\(combination)")
      }
      withExtendedLifetime(card) {}
    }

    @Test func `passwords that are wrong are refused by the card`() throws {
      let card = try PeerCard()
      let result = try PeerTerminal.run(password: "--can=000000")
      #expect(result.exitStatus == 1)
      #expect(result.errors == "PACE: Failure: GENERAL AUTHENTICATE 4: status 6300\n")
      withExtendedLifetime(card) {}
    }
  }
}
