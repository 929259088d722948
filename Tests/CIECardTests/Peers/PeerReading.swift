import TestSupport

@testable import CIECard

/// `CIECard`'s reading of the peer's card, as by a program with the reader and an access code.
struct PeerReading {
  /// The printed data of the peer's card.
  let facts: PeerCard.Facts
  private let context: PCSCContext

  init(_ facts: PeerCard.Facts) throws {
    self.facts = facts
    context = try PCSCContext()
  }

  /// Makes the card one of this combination, opens it and reads every file that it has.
  ///
  /// - Parameter can: another CAN than the card's, if it must not open.
  /// - Returns: the protocol that opened it, and the files by identifier.
  func files(
    _ combination: PeerCombination, by kind: AccessCode.Kind, can: String? = nil
  ) throws -> (access: AccessCode.AccessProtocol, files: [String: FileSummary]) {
    var channel = try context.connect(to: PCSCRig.readers[0])
    guard try channel.transmit(combination.command) == [0x90, 0] else { throw NotTheCard() }
    let card = IdentityCard(over: channel)
    var random = SystemRandom()
    var document = try card.openTravelDocument(
      with: code(kind, can ?? facts.can), random: &random)
    let access = document.access
    var files: [String: FileSummary] = [:]
    files["011E"] = try FileSummary(document.readCommonData())
    for group in DataGroup.allCases {
      let name = Hex.text([UInt8(group.fileIdentifier >> 8), UInt8(group.fileIdentifier & 0xFF)])
      if facts.files.keys.contains(name) {
        files[name] = try FileSummary(document.read(group))
      }
    }
    return (access, files)
  }

  private func code(_ kind: AccessCode.Kind, _ can: String) throws -> AccessCode {
    switch kind {
    case .can: try AccessCode(can: Secret([UInt8](can.utf8)))
    case .mrz: try AccessCode(mrz: MRZ.Information(MRZ(text: facts.mrz)))
    case .pin: try AccessCode(.pin, digits: Secret([UInt8](facts.pin.utf8)))
    case .puk: try AccessCode(.puk, digits: Secret([UInt8](facts.puk.utf8)))
    }
  }

  /// The card in the reader did not become the requested one.
  struct NotTheCard: Error {}
}
