import CIECard
import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// `cie-read check` with the index of trusted lists in the data folder, and with one that cannot be used.
@Suite struct TrustedServiceCommandTests {
  private static let file = Repository.path("Tests/CIEReadTests/SignedFiles/letter.txt.p7m")

  /// A data folder with an index, in which the issuers of the signed files are a recognised service.
  private static func folder(_ change: (inout [UInt8]) -> Void = { _ in }) throws
    -> TemporaryDirectory
  {
    let issuers = try TrustStore(
      path: Repository.path("Tests/CIEReadTests/SignedFiles/issuers.pem"))
    let period = TrustedService.Period(
      name: "Firma con la carta di prova", kind: .advancedSignatures, status: .recognised,
      start: 1, uses: [.signatures], qualifications: [], keepsExpiredSince: nil,
      hasUnknownExtension: false)
    let service = TrustedService(
      territory: "IT", provider: "Ministero di prova", certificates: issuers.certificates,
      keyIdentifiers: [], periods: [period])
    let list = ListState(
      territory: "IT", sequenceNumber: 7, issued: 1_700_000_000, nextUpdate: 1_710_000_000,
      fetched: 1_700_000_001)
    var index = try ServiceIndex.bytes(of: [service], lists: [list])
    change(&index)
    let folder = try TemporaryDirectory()
    for name in ["cie-read", "cie-read/trusted-lists"] {
      #expect(mkdir(folder.path(name), 0o700) == 0)
    }
    try folder.write("cie-read/trusted-lists/index", index)
    return folder
  }

  private static func check(
    _ folder: borrowing TemporaryDirectory
  ) throws -> ProcessResult {
    try Program.run(["check", file], environment: ["XDG_DATA_HOME": folder.path("")])
  }

  @Test func `a listed issuer is trusted, and named`() throws {
    let folder = try Self.folder()
    let text = try Self.check(folder)
    #expect(text.exitStatus == 0 && text.errors == "")
    #expect(text.output.contains("Valid: an advanced signature of mario Prova"))
    #expect(text.output.contains("the trusted list of IT should have been replaced"))
    let (object, _) = try Program.json(
      ["check", Self.file], environment: ["XDG_DATA_HOME": folder.path("")])
    let file = (object["files"] as? [[String: Any]])?.first
    let signature = try #require((file?["signatures"] as? [[String: Any]])?.first)
    let service = signature["trustedBy"] as? [String: Any]
    #expect(service?["provider"] as? String == "Ministero di prova")
    #expect(service?["national"] as? Bool == true && service?["old"] as? Bool == true)
    #expect(signature["qualified"] as? Bool == false)
    #expect(signature["qualification"] as? String == "AdESig")
    #expect(signature["listOf"] as? String == "IT")
    #expect(signature["asOf"] as? String == "2023-11-14T22:13:20Z")
  }

  @Test func `an index that cannot be used is a warning`() throws {
    func expectWarning(_ result: ProcessResult) {
      #expect(result.exitStatus == 13 && result.errors.contains("trusted-lists/index"))
      #expect(result.errors.contains("The trusted lists are left out"))
    }
    let damaged = try Self.folder { $0.removeLast() }
    expectWarning(try Self.check(damaged))
    // Deep inside, where only a look at all services finds it: each command says the same.
    let deep = try Self.folder { index in
      let text = String(decoding: index, as: UTF8.self)
      index = [UInt8](text.replacing("Ministero", with: "Monistero").utf8)
    }
    let check = try Self.check(deep)
    #expect(check.exitStatus == 13 && check.errors.contains("cie-read trust update"))
    let environment = deep.homeVariables.merging(["XDG_DATA_HOME": deep.path("")]) { $1 }
    let list = try Program.run(["trust", "list"], environment: environment)
    #expect(list.exitStatus == 0 && list.errors.contains("trusted-lists/index, is damaged"))
    #expect(list.errors.contains("cie-read trust update"))
    let (doctor, _) = try Program.json(["doctor", "--virtual"], environment: environment)
    let finding = (doctor["findings"] as? [[String: Any]])?.first {
      $0["name"] as? String == "trusted-lists"
    }
    #expect(finding?["grade"] as? String == "warning")
    #expect(finding?["repair"] as? String == "trusted-lists")
    let exposed = try Self.folder()
    #expect(chmod(exposed.path("cie-read/trusted-lists/index"), 0o666) == 0)
    expectWarning(try Self.check(exposed))
    let none = try Self.check(TemporaryDirectory())
    #expect(none.exitStatus == 13 && !none.errors.contains("trusted-lists"))
  }
}
