import Arguments
import CIECard
import Foundation
import Primitives

/// `cie-lab trusted-lists`: invented trusted lists, for `cie-read trust update`.
struct TrustedListsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "trusted-lists", "Write invented trusted lists, signed, with the keys of their issuers.",
    discussion: """
      In the folder: eu-lotl.xml with its pivot, it.xml, be.xml; signers.pem, for --signers; keys/ with a key and a certificate \
      each: issuer is on Italy's list (CA/QC, granted), stamps too (TSA/QTST), card-issuer too (AdESGeneration), belgian-issuer \
      on Belgium's. Keys that are there are used again.
      """)

  @Argument(isRequired: true, help: "A new or existing folder.") var folder = ""
  @Option(help: "Start of the lists' addresses.") var base = "https://lists.test"
  @Option(help: "Sequence number of the lists; the pivot has 1.") var number = 2
  @Option(help: "Days since the issue of the lists.") var age = 1
  @Option(help: "Days from the issue to the next update.") var days = 180

  func run() throws {
    let folder = URL(fileURLWithPath: folder)
    var lists = try MadeTrustedLists(keysIn: folder.appendingPathComponent("keys"))
    (lists.base, lists.number) = (base, number)
    let day: Int64 = 86400
    lists.issued = UTCTime(seconds: UTCTime.now.seconds - Int64(age) * day)
    lists.nextUpdate = UTCTime(seconds: lists.issued.seconds + Int64(days) * day)
    for (name, document) in try lists.documents() {
      try Data(document).write(to: folder.appendingPathComponent(name))
    }
    try Data(lists.oldSigner.certificatePEM.utf8)
      .write(to: folder.appendingPathComponent("signers.pem"))
  }
}
