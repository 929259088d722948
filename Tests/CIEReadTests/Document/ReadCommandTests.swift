import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `cie-read read` on every persona: the holder, and the authenticity.
@Suite struct ReadCommandTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func `read shows the data of a genuine document`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let directory = try TemporaryDirectory()
    let arguments =
      ["read", "--virtual", identifier, "--can", persona.can]
      + ["--trust", try persona.writeDocumentAnchor(in: directory)]
    let result = try Program.run(arguments)
    let isCloneable = identifier == "nxp"
    #expect(result.exitStatus == (isCloneable ? 13 : 0))
    let first = result.output.split(separator: "\n").first ?? ""
    #expect(first.hasPrefix(isCloneable ? "NOT PROVED: " : "GENUINE: "))
    #expect(
      first.hasSuffix(
        isCloneable ? "it could be a clone (TEST)" : "the chip is not a clone (TEST)"))
    #expect(result.output.contains("\nSurname         \(persona.surname)\n"))
    #expect(result.output.contains("\nDocument        \(persona.documentNumber)\n"))
    #expect(result.output.contains("\nCSCA: C=IT, "))
    #expect(!result.output.contains("\u{1B}"), "no picture where there is no terminal")
    let italian = try Program.run(arguments + ["--language", "it"])
    #expect(italian.output.hasPrefix(isCloneable ? "NON VERIFICATO: " : "AUTENTICO: "))
    #expect(italian.output.contains("\nCodice fiscale     \(persona.fiscalCode)\n"))
  }

  /// The complete JSON. To accept a change, delete the files and run this twice.
  @Test(arguments: Persona.all.map(\.identifier))
  func `the JSON of read is as pinned`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let directory = try TemporaryDirectory()
    let anchor = try persona.writeDocumentAnchor(in: directory)
    let result = try Program.run(
      ["read", "--virtual", identifier, "--can", persona.can, "--trust", anchor, "--json"])
    let text = result.output.replacing(",\"", with: ",\n\"")
    let file = Repository.url("Tests/CIEReadTests/Document/JSON/\(identifier).json")
    guard let pinned = try? String(contentsOf: file, encoding: .utf8) else {
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(file.lastPathComponent) was written: read it and commit it")
      return
    }
    #expect(text == pinned)
  }

  @Test func `the JSON of read matches the persona`() throws {
    let persona = Persona.gemalto
    let (object, result) = try Program.json(["read", "--virtual", "--can", persona.can])
    #expect(result.exitStatus == 0)
    let holder = try #require(object["holder"] as? [String: Any])
    #expect(holder["surname"] as? String == persona.surname)
    #expect(holder["givenNames"] as? String == persona.givenName)
    #expect(holder["fiscalCode"] as? String == persona.fiscalCode)
    #expect((holder["address"] as? [String])?.first == "VIA DELLE PROVE 1")
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["number"] as? String == persona.documentNumber)
    #expect(document["mrz"] as? String == persona.mrzLines.joined())
    #expect(document["expired"] as? Bool == false)
    #expect(object["outcome"] as? String == "proved" && object["test"] as? Bool == true)
    #expect(object["csca"] is [String: Any])
  }

  /// Each key to the document; the zone is then compared with DG1.
  @Test func `the document opens with the CAN, the zone or typed input`() throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let zone = persona.mrzLines.joined(separator: "\n") + "\n"
    let file = try directory.write("mrz", [UInt8](zone.utf8))
    let typed = [
      "--document", persona.documentNumber.lowercased(), "--birth", persona.birthDate,
      "--expiry", persona.expiryDate,
    ]
    for (code, isZone) in [(["--mrz-file", file], true), (typed, true), ([], false)] {
      let (object, result) = try Program.json(
        ["read", "--virtual", "--only", "dg1"] + code, input: persona.can + "\n")
      #expect(result.exitStatus == 0)
      let points = try #require(object["points"] as? [[String: Any]])
      let opened = points.first { $0["point"] as? String == "opened-zone" }
      #expect(opened?["verdict"] as? String == (isZone ? "proved" : nil))
      #expect(
        (object["document"] as? [String: Any])?["number"] as? String == persona.documentNumber)
    }
    let descriptor = try Program.run(
      ["read", "--virtual", "--can-fd", "7"], descriptors: [7: [UInt8](persona.can.utf8)])
    #expect(descriptor.exitStatus == 0)
  }

  /// Without EF.CardAccess the zone opens the document by Basic Access Control, and the CAN does not.
  @Test func `a card without PACE is read by Basic Access Control`() throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let file = try directory.write("mrz", [UInt8](persona.mrzLines.joined().utf8))
    let source = ["read", "--virtual", "--option", "no-card-access"]
    let object = try Program.json(source + ["--mrz-file", file]).object
    let access = try #require(object["access"] as? [String: Any])
    #expect(access["protocol"] as? String == "bac")
    let (refused, result) = try Program.json(source + ["--can", persona.can])
    #expect(result.exitStatus == 12)
    #expect(try ReportedError(refused).name == "no-access-protocol")
  }

  @Test func `only requested groups are shown`() throws {
    let persona = Persona.gemalto
    let (object, result) = try Program.json(
      ["read", "--virtual", "--can", persona.can, "--only", "dg11,DG13"])
    #expect(!result.output.contains(persona.documentNumber))
    #expect(object["portrait"] is NSNull)
    #expect(object["absent"] as? [String] == ["dg13"])
    let files = try #require(object["files"] as? [[String: Any]]).map { $0["name"] as? String }
    #expect(files == ["EF.CardAccess", "EF.SOD", "DG1", "DG11", "DG14"])
    let plain = try Program.run(["read", "--virtual", "--can", persona.can, "--only", "dg11,dg13"])
    #expect(plain.output.contains("\nNot on the card  DG13\n"))
    #expect(!plain.output.contains("Document "))
  }

  /// The recorded visit, judged after the last day of validity and on it; then the card continues with its other side,
  /// which is left out.
  @Test(arguments: [(2_024_870_400, true), (2_024_870_399, false)])
  func `read reports an expired document`(_ time: Int, _ isExpired: Bool) throws {
    let recorded = try String(
      contentsOf: Repository.url("CardTraces/virtual/gemalto-document-authenticity.trace"),
      encoding: .utf8)
    let lines = recorded.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("time: ") ? "time: \(time)" : String(line)
    }
    let end = try #require(lines.firstIndex(of: "# leave-travel-document"))
    let directory = try TemporaryDirectory()
    let text = lines.prefix(end).joined(separator: "\n") + "\n"
    let trace = try directory.write("late.trace", [UInt8](text.utf8))
    let arguments =
      ["read", "--replay", trace, "--can", Persona.gemalto.can, "--only", "dg1,dg11,dg12"]
    let (object, result) = try Program.json(arguments)
    #expect(result.exitStatus == 13)
    #expect((object["document"] as? [String: Any])?["expired"] as? Bool == isExpired)
    let plain = try Program.run(arguments)
    let date = "\nDate of expiry  1 Mar 2034" + (isExpired ? " (EXPIRED)\n" : "\n")
    #expect(plain.output.contains(date))
  }

  /// The data are shown, below a line that calls them false.
  @Test(arguments: ["tampered-group=1", "tampered-group=11", "foreign-sod"])
  func `altered data are reported as false`(_ fault: String) throws {
    let arguments = ["read", "--virtual", "--can", Persona.gemalto.can, "--fault", fault]
    let plain = try Program.run(arguments)
    #expect(plain.exitStatus == 10)
    #expect(plain.output.hasPrefix("FALSE: the data cannot be trusted"))
    #expect(plain.output.contains("Authority"))
    #expect(plain.errors.contains("[not-authentic; exit 10]"))
    let object = try Program.json(arguments).object
    #expect(object["outcome"] as? String == "false")
  }

  @Test func `a cloned chip is reported as false`() throws {
    let arguments = ["read", "--virtual", "--can", Persona.gemalto.can]
    let result = try Program.run(arguments + ["--fault", "wrong-chip-authentication-key"])
    #expect(result.exitStatus == 10)
    #expect(result.output.contains("it could be a clone"))
  }
}

extension Persona {
  /// A certificate of the test CSCA behind its travel document in a file that `--trust` takes.
  func writeDocumentAnchor(in directory: borrowing TemporaryDirectory) throws -> String {
    try directory.write("\(identifier)-document.der", documentCSCA)
  }
}
