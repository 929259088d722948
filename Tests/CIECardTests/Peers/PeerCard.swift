import Foundation
import TestSupport
import Testing

@testable import CIECard

/// The travel document of `Tests/Peers/pace_card.py`, whose cryptography is OpenPACE's, in the virtual reader until it
/// is released.
final class PeerCard {
  /// The card's data about itself.
  struct Facts: Decodable {
    let can: String
    let pin: String
    let puk: String
    /// The three lines of a TD1 card without separators.
    let mrz: String
    /// By identifier, four digits.
    let files: [String: FileSummary]
  }

  let facts: Facts
  private let reader: String
  private let insertion: UInt32
  private var process: BackgroundProcess?

  /// Puts the card into the first slot and waits until pcscd has seen it.
  ///
  /// - Parameter options: of `pace_card.py`.
  init(_ options: [String] = []) throws {
    try #require(PCSCRig.isUp, "CI is set, but there is no tools/with-pcscd around the tests")
    reader = PCSCRig.readers[0]
    let process = try BackgroundProcess(
      "/usr/bin/python3", [Repository.path("Tests/Peers/pace_card.py")] + options)
    self.process = process
    let line = try #require(process.firstLine(), "the card does not come")
    facts = try JSONDecoder().decode(Facts.self, from: Data(line.utf8))
    _ = try PCSCContext().waitForCard(in: .named(reader), for: .seconds(30))
    insertion = try #require(PCSCRig.events(in: reader))
  }

  deinit {
    process = nil
    try? PCSCRig.eventually("pcscd has seen the card leave") {
      PCSCRig.events(in: reader) != insertion
    }
  }
}

/// The data of a file that two readers compare.
struct FileSummary: Decodable, Equatable {
  let length: Int
  /// 64 digits, small letters.
  let sha256: String
}

extension FileSummary {
  init(_ file: [UInt8]) throws {
    length = file.count
    sha256 = Hex.text(try HashAlgorithm.sha256.hash(file)).lowercased()
  }
}
