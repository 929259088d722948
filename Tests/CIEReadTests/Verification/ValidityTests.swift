import Foundation
import TestSupport
import Testing
import VirtualCIE

/// Expired documents, and cards with the published fault of 2017 and 2018, as saved files; the rule that requires a
/// valid document.
@Suite struct ValidityTests {
  struct Vector: Decodable, Sendable {
    let faults: [Card]
  }

  struct Card: Decodable, Sendable {
    let name: String
    let files: [String: HexBytes]
    let securityObject: HexBytes
    let anchor: HexBytes
  }

  /// Judges the saved files of a card.
  private func verify(
    _ name: String, _ options: [String] = []
  ) throws -> (object: [String: Any], json: ProcessResult, plain: ProcessResult) {
    let vector = try Vectors.decode("travel-documents", as: Vector.self)
    let card = try #require(vector.faults.first { $0.name == name })
    let directory = try TemporaryDirectory()
    try directory.write("EF.SOD.bin", card.securityObject.bytes)
    for (number, contents) in card.files { try directory.write("DG\(number).bin", contents.bytes) }
    let anchors = try TemporaryDirectory()
    let anchor = try anchors.write("csca.der", card.anchor.bytes)
    let arguments = ["verify", "--from", directory.url.path, "--trust-only", anchor] + options
    let (object, json) = try Program.json(arguments)
    return (object, json, try Program.run(arguments))
  }

  @Test func `a published fault is no forgery and no proof`() throws {
    let (object, json, plain) = try verify("part-b")
    #expect(json.exitStatus == 13 && plain.exitStatus == 13)
    #expect(try ReportedError(object).name == "known-production-fault")
    let overall = try #require(object["overall"] as? [String: Any])
    #expect(overall["outcome"] as? String == "known-production-fault")
    #expect(overall["conclusion"] as? String == "known-production-fault")
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["outcome"] as? String == "known-production-fault")
    let points = try #require(document["points"] as? [[String: Any]])
    let details = try #require(points.first { $0["point"] as? String == "hash-dg12" })
    #expect(details["verdict"] as? String == "known-production-fault")
    #expect(details["reason"] as? String == "listed-by-the-ministry")
    #expect(plain.output.contains("known production fault of cards from 2017 and 2018, listed by"))
    #expect(plain.output.contains("Only the print on the card tells whether it is valid abroad."))
    let italian = try verify("part-b", ["--language", "it"]).plain
    #expect(italian.output.contains("difetto di produzione noto"))
    #expect(italian.errors.contains("elencato dal Ministero"))
  }

  @Test(arguments: ["number-CB12345AB", "date-20151206", "dg1-changed", "expiry-290306"])
  func `anything beyond the published fault is false`(_ name: String) throws {
    let (object, json, _) = try verify(name)
    #expect(json.exitStatus == 10)
    #expect(try ReportedError(object).name == "not-authentic")
  }

  /// Reported first; an error only if a valid document is required.
  @Test func `an expired document is reported, and refused if validity is required`() throws {
    let (object, json, plain) = try verify("expiry-220101")
    #expect(json.exitStatus == 13)
    #expect(plain.output.hasPrefix("EXPIRED on 1 Jan 2022\n"))
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["expired"] as? Bool == true)
    #expect(document["validUntil"] as? String == "2022-01-01")
    #expect(document["certificateValidUntil"] as? String == "2028-10-01T00:00:00Z")
    let (strict, required, words) = try verify("expiry-220101", ["--require-valid"])
    #expect(required.exitStatus == 10)
    #expect(try ReportedError(strict).name == "document-expired")
    #expect(words.errors.contains("The document expired on 1 Jan 2022."))
    // A false point has precedence.
    let (wrong, _, _) = try verify("dg1-changed", ["--require-valid"])
    #expect(try ReportedError(wrong).name == "not-authentic")
  }

  /// Two digits of a year: a card of fifty years ends in 2076, not in 1976.
  @Test func `a document of fifty years is valid after its signer has expired`() throws {
    let (object, _, plain) = try verify("expiry-760131", ["--require-valid"])
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["expired"] as? Bool == false)
    #expect(document["validUntil"] as? String == "2076-01-31")
    #expect(!plain.output.contains("EXPIRED"))
  }

  @Test func `validity may be required of a card`() throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    let card = ["--virtual", "--trust", trust, "--require-valid"]
    for command in ["verify", "read"] {
      let (object, result) = try Program.json([command, "--can", persona.can] + card)
      #expect(result.exitStatus == 0)
      let document = try #require(object["document"] as? [String: Any])
      #expect(document["expired"] as? Bool == false)
      #expect(document["validUntil"] as? String == "2034-03-01")
      #expect(document["certificateValidUntil"] as? String == "2045-12-31T00:00:00Z")
    }
    // Without the travel document the validity is unknown.
    let (object, result) = try Program.json(["verify"] + card)
    #expect(result.exitStatus == 13)
    #expect(try ReportedError(object).name == "validity-unknown")
  }
}
