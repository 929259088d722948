import Foundation
import TestSupport
import Testing
import VirtualCIE

/// Chips that end the secure channel where others continue: the data they gave are shown nevertheless.
@Suite struct ReadSurvivalTests {
  private func read(
    _ faults: String, _ more: [String] = []
  ) throws -> (object: [String: Any], result: ProcessResult) {
    try Program.json(
      ["read", "--virtual", "gemalto", "--can", Persona.gemalto.can, "--fault", faults] + more)
  }

  private func point(_ name: String, of object: [String: Any]) throws -> [String: Any] {
    let points = try #require(object["points"] as? [[String: Any]])
    return try #require(points.first { $0["point"] as? String == name })
  }

  /// The third MSE is chip authentication's: its second form after the first one was refused.
  @Test(arguments: [
    ("bare-status=6985@22:2", "channel-ended"), ("bare-status=6A80@22:2", "channel-ended"),
    ("bare-status=6700@22:2", "channel-ended"),
    ("status=6A80@22:2,status=6A88@22:3", "refused"),
  ])
  func `without chip authentication the data are still read`(_ faults: String, _ reason: String)
    throws
  {
    let (object, result) = try read(faults)
    #expect(result.exitStatus == 13)
    let holder = try #require(object["holder"] as? [String: Any])
    #expect(holder["surname"] as? String == Persona.gemalto.surname)
    #expect(holder["fiscalCode"] as? String == Persona.gemalto.fiscalCode)
    #expect(object["portrait"] is [String: Any])
    #expect(object["outcome"] as? String == "could-not-check")
    let point = try point("chip-authentication", of: object)
    #expect(point["verdict"] as? String == "could-not-check")
    #expect(point["reason"] as? String == reason)
  }

  /// A chip that accepts our key and has another one is still false, and its data are shown.
  @Test func `a false chip stays false`() throws {
    let (object, result) = try read("wrong-chip-authentication-key")
    #expect(result.exitStatus == 10)
    #expect(try point("chip-authentication", of: object)["reason"] as? String == "chip-key-wrong")
    #expect((object["holder"] as? [String: Any])?["surname"] as? String == Persona.gemalto.surname)
  }

  /// A file at which the card ends the channel is left out; the document is opened once more for the others.
  @Test func `a channel that ends at a file is opened again`() throws {
    // This READ is inside of DG2. A file in long answers would be requested again in short ones.
    let (object, result) = try read(
      "bare-status=6982@B0:22", ["--option", "no-extended-length=read"])
    #expect(result.exitStatus == 13)
    #expect((object["holder"] as? [String: Any])?["surname"] as? String == Persona.gemalto.surname)
    #expect(object["portrait"] is NSNull)
    try expect("dg2", isUnreadableIn: object)
  }

  private func expect(_ group: String, isUnreadableIn object: [String: Any]) throws {
    #expect(object["outcome"] as? String == "could-not-check")
    #expect(object["unreadable"] as? [String] == [group])
    #expect(object["absent"] as? [String] == [])
    let point = try point("hash-\(group)", of: object)
    #expect(point["verdict"] as? String == "could-not-check")
    #expect(point["reason"] as? String == "not-read")
  }

  /// Groups that the State signed, or that EF.COM lists beside a missing EF.SOD, are not passed over.
  @Test(arguments: [
    ("hidden-file=0102", "dg2"), ("hidden-file=0102:6982", "dg2"),
    ("hidden-file=0102:bare-6982", "dg2"), ("hidden-file=010B", "dg11"),
    ("hidden-file=011D,hidden-file=0102", "dg2"), ("hidden-file=010E", "dg14"),
  ])
  func `a listed group that is not returned is named`(_ faults: String, _ group: String) throws {
    let (object, result) = try read(faults)
    #expect(result.exitStatus == 13)
    try expect(group, isUnreadableIn: object)
    let text = try Program.run(
      ["read", "--virtual", "gemalto", "--can", Persona.gemalto.can, "--fault", faults])
    #expect(
      text.output.split(separator: "\n").contains {
        $0.hasPrefix("Unreadable") && $0.hasSuffix(" \(group.uppercased())")
      })
  }

  /// A portrait that was not returned is not reported as absent from the card.
  @Test func `a portrait that was not returned is no file`() throws {
    let folder = try TemporaryDirectory()
    let (object, result) = try read("hidden-file=0102", ["--photo", folder.path("face.png")])
    #expect(result.exitStatus == 13)
    #expect((object["error"] as? [String: Any])?["name"] as? String == "portrait-unreadable")
    #expect(try folder.fileNames() == [])
  }

  /// A group that the document does not list is absent, and costs no proof.
  @Test func `a group that is not listed is absent`() throws {
    let (object, result) = try read("delay=0", ["--only", "dg1,dg13"])
    #expect(result.exitStatus == 0)
    #expect(object["absent"] as? [String] == ["dg13"])
    #expect(object["unreadable"] as? [String] == [])
  }

  /// A key known to lack the State's signature is not used.
  @Test func `a key without the State's signature is not used`() throws {
    let (object, result) = try read("tampered-group=14")
    #expect(result.exitStatus == 10)
    #expect(try point("hash-dg14", of: object)["reason"] as? String == "hash-differs")
    #expect(try point("chip-authentication", of: object)["reason"] as? String == "not-tried")
  }
}
