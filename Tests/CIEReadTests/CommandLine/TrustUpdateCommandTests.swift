import Foundation
import Glibc
import TestSupport
import Testing

/// `cie-read trust update` from a folder and from a server of this machine, with invented lists of `cie-lab trusted-lists`.
@Suite final class TrustUpdateCommandTests {
  private let folder: TemporaryDirectory
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path("data")] }

  init() throws { folder = try TemporaryDirectory() }

  /// Writes the lists; the keys are made by the first call.
  private func make(_ options: String...) throws {
    let result = try BuiltBinary("cie-lab").run(["trusted-lists", folder.path("lists")] + options)
    try #require(result.exitStatus == 0, "\(result.errors)")
  }

  private func update(_ options: String...) throws -> (object: [String: Any], status: Int32?) {
    let command = [
      "trust", "update", "--from", folder.path("lists"), "--signers",
      folder.path("lists/signers.pem"),
    ]
    let (object, result) = try Program.json(command + options, environment: environment)
    return (object, result.exitStatus)
  }

  private func changes(_ object: [String: Any]) throws -> [String: String] {
    let lists = try #require(object["lists"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: lists.map { list in
        (try #require(list["territory"] as? String), try #require(list["change"] as? String))
      })
  }

  private func stored(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path("data/cie-read/trusted-lists/" + name)))
  }

  @Test func `lists are stored, listed, and never go back`() throws {
    try make("--number", "5")
    var (object, status) = try update("--countries", "BE")
    #expect(status == 0)
    #expect(try changes(object) == ["EU": "new", "IT": "new", "BE": "new"])
    let index = try stored("index")
    var attributes = stat()
    #expect(stat(folder.path("data/cie-read/trusted-lists/IT.xml"), &attributes) == 0)
    #expect(attributes.st_mode & 0o777 == 0o600)

    // Without a choice those that are stored are asked for.
    (object, status) = try update()
    #expect(status == 0)
    #expect(try changes(object) == ["EU": "unchanged", "IT": "unchanged", "BE": "unchanged"])

    let (list, result) = try Program.json(
      ["trust", "list", "--country", "it"], environment: environment)
    #expect(result.exitStatus == 0)
    let italian = try #require((list["lists"] as? [[String: Any]])?.first)
    #expect(italian["sequenceNumber"] as? Int == 5 && italian["old"] as? Bool == false)
    let services = try #require(italian["services"] as? [[String: Any]])
    #expect(
      services.compactMap { $0["type"] as? String } == ["AdESGeneration", "CA/QC", "TSA/QTST"])

    let before = try stored("IT.xml")
    try make("--number", "4")
    (object, status) = try update()
    #expect(status == 10)
    #expect(Set(try changes(object).values) == ["kept"])
    #expect(try stored("IT.xml") == before)
    #expect(try stored("index").count == index.count)
  }

  @Test func `a changed list is refused, and the last good one kept`() throws {
    try make()
    _ = try update()
    let path = folder.path("lists/it.xml")
    let good = try String(contentsOfFile: path, encoding: .utf8)
    try good.replacing("granted", with: "withdrawn", maxReplacements: 1)
      .write(toFile: path, atomically: true, encoding: .utf8)
    let (object, status) = try update()
    #expect(status == 10)
    #expect(try changes(object) == ["EU": "unchanged", "IT": "kept"])
    let error = object["error"] as? [String: Any]
    #expect(error?["name"] as? String == "trusted-list-false")
    #expect(try stored("IT.xml") == Data(good.utf8))
  }

  @Test func `without the signers nothing is believed`() throws {
    try make()
    let (object, result) = try Program.json(
      ["trust", "update", "--from", folder.path("lists")], environment: environment)
    #expect(result.exitStatus != 0)
    #expect(try changes(object) == ["EU": "missing", "IT": "missing"])
    let (list, _) = try Program.json(["trust", "list"], environment: environment)
    #expect((list["lists"] as? [[String: Any]])?.isEmpty == true)

    // Nor is anything lost that was believed with them.
    #expect(try update().status == 0)
    let index = try stored("index")
    for source in [folder.path("lists"), "http://127.0.0.1:9/eu-lotl.xml"] {
      let (object, result) = try Program.json(
        ["trust", "update", "--from", source], environment: environment)
      #expect(result.exitStatus != 0)
      #expect(try changes(object)["IT"] == "missing")
      #expect(try stored("index") == index)
    }
    let plain = try Program.run(
      ["trust", "update", "--from", folder.path("lists")], environment: environment)
    #expect(plain.output.contains("IT: no. 2 of "))
    #expect(plain.output.contains("stays as it is stored"))
    #expect(!plain.output.contains(": no list"))
  }

  @Test func `a file that has no signers is named by its use`() throws {
    let path = try folder.write("text.pem", "text".utf8)
    let result = try Program.run(
      ["trust", "update", "--from", folder.path("lists"), "--signers", path],
      environment: environment)
    #expect(result.exitStatus == 64 && result.errors.contains("--signers takes the certificates"))
    #expect(!result.errors.contains("CSCA"))
  }

  @Test func `a country without anything is said so`() throws {
    let result = try Program.run(["trust", "list", "--country", "xx"], environment: environment)
    #expect(result.exitStatus == 0)
    #expect(result.output == "No certificate or trusted list here is of XX.\n")
  }

  @Test func `addresses without protection are not asked`() throws {
    let (object, result) = try Program.json(
      ["trust", "update", "--from", "http://lists.example/eu-lotl.xml"], environment: environment)
    #expect(result.exitStatus == 11)
    #expect((object["error"] as? [String: Any])?["name"] as? String == "list-in-clear")
  }
}
