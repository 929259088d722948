import Foundation
import TestSupport
import Testing

/// `check --online`: the addresses in certificates, each asked in turn.
@Suite struct AuthorityAnswerTests {
  /// The files, and the server behind their addresses: made once, because a key takes long.
  private final class Authorities {
    let folder: String
    let process: BackgroundProcess

    init() throws {
      folder = NSTemporaryDirectory() + "cie-read-test-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      process = try BackgroundProcess(
        "/usr/bin/python3",
        ["-B", Repository.path("Tests/CIEReadTests/Support/authorities.py"), folder])
      _ = try #require(process.firstLine())
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The paths that were asked for since the last call.
    func asked() -> [String] {
      let path = folder + "/asked"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map(String.init)
    }

    func check(_ name: String, online: Bool = true) throws -> ([String: Any], ProcessResult) {
      let (object, result) = try Program.json(
        ["check", "\(folder)/\(name).txt.p7m", "--trust", folder + "/root.pem"]
          + (online ? ["--online"] : []))
      let files = try #require(object["files"] as? [[String: Any]])
      return (try #require(files.first), result)
    }
  }

  @Test func `a later address, a redirect, PEM and gzip serve`() throws {
    let authorities = try Authorities()
    for name in [
      "later", "closed", "page", "others", "garbage", "redirect", "redirect307", "pem", "base64",
      "bundle", "gzip", "gzfile",
    ] {
      let (file, result) = try authorities.check(name)
      #expect(result.exitStatus == 0, "\(name): \(result.output)")
      let answers = try #require(file["answers"] as? [[String: Any]])
      #expect(answers.count { $0["end"] as? String == "taken" } == 3, "\(name): \(answers)")
      #expect(file["unasked"] as? Int == 0)
    }
    let ends = try authorities.check("others").0["answers"] as? [[String: Any]]
    #expect(
      ends?.map { $0["end"] as? String }
        == ["unfit", "taken", "unfit", "outdated", "taken", "taken"])
    let pages = try authorities.check("page").0["answers"] as? [[String: Any]]
    #expect(pages?.map { $0["end"] as? String } == ["page", "taken", "page", "taken", "taken"])
    try self.expectTold(authorities)
    try self.expectNothingAsked(authorities)
  }

  /// Unusable answers are listed by address, without the hint to use `--online`.
  private func expectTold(_ authorities: Authorities) throws {
    for name in ["far", "wrong", "many"] {
      _ = authorities.asked()
      let (file, result) = try authorities.check(name)
      #expect(result.exitStatus == 13, "\(name): \(result.output)")
      let answers = try #require(file["answers"] as? [[String: Any]])
      let path = "\(authorities.folder)/\(name).txt.p7m"
      let told = try Program.run([
        "check", path, "--online", "--trust", authorities.folder + "/root.pem",
      ])
      for answer in answers {
        #expect(told.output.contains("Asked \(answer["address"] as? String ?? "?"): "))
      }
      #expect(!told.output.contains("--online"))
    }
    let (file, _) = try authorities.check("many")
    #expect((file["answers"] as? [[String: Any]])?.count == 32)
    // One for the issuer; of the hundred lists the rest, and that of the issuer above.
    #expect(file["unasked"] as? Int ?? 0 >= 69)
    let (_, offline) = try authorities.check("far", online: false)
    #expect(offline.exitStatus == 13)
    #expect(!offline.output.contains("\"answers\""))
  }

  private func expectNothingAsked(_ authorities: Authorities) throws {
    _ = authorities.asked()
    for name in ["false", "altered"] {
      let (_, result) = try authorities.check(name)
      #expect(result.exitStatus == 10)
      #expect(authorities.asked() == [], "\(name)")
    }
  }
}
