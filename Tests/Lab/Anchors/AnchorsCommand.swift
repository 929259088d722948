import Arguments
import CIECard
import Foundation
import VirtualCIE

/// `cie-lab anchors`: the test CSCAs of the software cards, for `cie-read --trust`.
struct AnchorsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "anchors", "Write the test CSCA certificates of the software cards to a folder.")

  @Argument(isRequired: true, help: "A new or existing folder; two files a persona, PEM.")
  var folder = ""

  func run() throws {
    let folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for persona in Persona.everyone {
      for (side, encoded) in [("ias", persona.csca), ("document", persona.documentCSCA)] {
        let certificate = try Certificate(der: encoded)
        let file = folder.appendingPathComponent("\(persona.identifier)-\(side).pem")
        try Data(certificate.pem.utf8).write(to: file)
      }
    }
  }
}
