import TestSupport
import Testing
import VirtualCIE

/// `verify` on both sides of a card, in one contact.
@Suite struct VerifyTests {
  /// A card's proofs of its chip, and the points of its document that are therefore not proved.
  struct Expectation: CustomTestStringConvertible, Sendable {
    let persona: String
    let open: [String]
    var testDescription: String { persona }
  }

  static let expectations = [
    Expectation(
      persona: "gemalto",
      open: [
        "active-authentication could-not-check not-offered",
        "announcement could-not-check no-copy",
      ]),
    Expectation(persona: "gemalto2", open: []),
    Expectation(persona: "st", open: ["announcement could-not-check no-copy"]),
    Expectation(
      persona: "itj4", open: ["active-authentication could-not-check not-offered"]),
    Expectation(
      persona: "unknown", open: ["active-authentication could-not-check not-offered"]),
  ]

  @Test(arguments: expectations)
  func `both sides are proved`(_ expectation: Expectation) throws {
    let persona = try #require(Persona.named(expectation.persona))
    let verification = try VerificationObject(persona, ["--can", persona.can])
    #expect(verification.exit == 0)
    #expect(verification.overall == "proved proved")
    let document = try #require(verification.document)
    #expect(document.outcome == "proved" && document.cloning == "excluded")
    #expect(document.open == expectation.open)
    #expect(document.points.contains("hash-dg2 proved"))
    #expect(document.access?.hasPrefix("id-PACE-") == true)
    let ias = try #require(verification.ias)
    #expect(ias.outcome == "proved" && ias.cloning == "excluded")
    #expect(ias.points.count == 10 && ias.open.isEmpty)
  }

  /// The State signed its data, and it offers no proof of the chip: the IAS side does not replace it.
  @Test func `a document without chip proof could be a clone`() throws {
    let persona = Persona.nxp
    let verification = try VerificationObject(persona, ["--can", persona.can])
    #expect(verification.exit == 13)
    #expect(verification.overall == "could-not-check document-without-chip-proof")
    #expect(verification.ias?.outcome == "proved")
    let document = try #require(verification.document)
    #expect(document.outcome == "could-not-check" && document.cloning == "possible")
    #expect(
      document.open == [
        "chip-authentication could-not-check not-offered",
        "active-authentication could-not-check not-offered",
        "announcement could-not-check no-copy",
      ])
    // Without the proof of the IAS side it is not mentioned.
    let directory = try TemporaryDirectory()
    let anchor = try directory.write("document.der", persona.documentCSCA)
    let half = try VerificationObject(
      ["--virtual", "nxp", "--trust-only", anchor, "--can", persona.can])
    #expect(half.exit == 13 && half.overall == "could-not-check incomplete")
  }

  /// The members of the IAS side are where they were before there was another side.
  @Test(arguments: [[], ["--can", Persona.gemalto.can]])
  func `the members for older scripts are present`(_ access: [String]) throws {
    let challenge = "000102030405060708090A0B0C0D0E0F"
    let verification = try VerificationObject(.gemalto, access + ["--challenge", challenge])
    let object = verification.object
    #expect(
      Set(object.keys) == [
        "schema", "ok", "command", "servicesNumber", "outcome", "cloning", "test", "points",
        "challenge", "response", "overall", "ias", "document",
      ])
    #expect(object["servicesNumber"] as? String == Persona.gemalto.nis)
    #expect(object["outcome"] as? String == "proved")
    #expect(object["cloning"] as? String == "excluded")
    #expect(object["challenge"] as? String == challenge)
    #expect((object["response"] as? String)?.count == 512)
    #expect(VerificationObject.Side(object)?.points == verification.ias?.points)
    #expect(verification.ias?.members["servicesNumber"] as? String == Persona.gemalto.nis)
    #expect(verification.ias?.members["response"] as? String == object["response"] as? String)
    #expect((verification.document == nil) == access.isEmpty)
    #expect(verification.overall == "proved proved")
  }

  @Test func `the members of the document are present`() throws {
    let verification = try VerificationObject(.gemalto2, ["--can", Persona.gemalto2.can])
    let document = try #require(verification.document)
    #expect(
      Set(document.members.keys)
        == [
          "access", "outcome", "cloning", "test", "points", "challenge", "response", "expired",
          "validUntil", "certificateValidUntil",
        ])
    #expect(document.members["expired"] as? Bool == false)
    #expect(document.members["validUntil"] as? String == "2035-03-03")
    #expect(document.members["certificateValidUntil"] as? String == "2045-12-31T00:00:00Z")
    #expect(document.access == "id-PACE-DH-GM-3DES-CBC-CBC")
    #expect((document.members["challenge"] as? String)?.count == 16)
    #expect((document.members["response"] as? String)?.count == 512)
    #expect(
      document.points == [
        "signature proved", "signer-chain proved", "signer-document-type proved",
        "signer-validity proved", "signer-validity-at-issue proved", "hash-dg1 proved",
        "hash-dg2 proved",
        "hash-dg11 proved", "hash-dg12 proved", "hash-dg14 proved", "hash-dg15 proved",
        "chip-authentication proved", "active-authentication proved", "announcement proved",
        "issuing-state proved",
      ])
  }

  /// The zone that opened the document must be the one inside; with BAC as with PACE.
  @Test(arguments: ["gm-3des-2", nil])
  func `the document opens with the zone`(_ profile: String?) throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let zone = try directory.write("zone", [UInt8](persona.mrzLines.joined(separator: "\n").utf8))
    let option = profile.map { "pace=\($0)" } ?? "no-card-access"
    let verification = try VerificationObject(persona, ["--mrz-file", zone, "--option", option])
    #expect(verification.exit == 0)
    let document = try #require(verification.document)
    #expect(document.points.contains("opened-zone proved"))
    #expect(document.access == (profile == nil ? "bac" : "id-PACE-DH-GM-3DES-CBC-CBC"))
  }

  /// The zone as typed by a person.
  @Test func `the document opens with typed input`() throws {
    let persona = Persona.gemalto
    let verification = try VerificationObject(
      persona,
      [
        "--document", persona.documentNumber, "--birth", persona.birthDate, "--expiry",
        persona.expiryDate,
      ])
    #expect(verification.exit == 0 && verification.overall == "proved proved")
    #expect(verification.document?.points.contains("opened-zone proved") == true)
  }

  @Test func `only some data groups are verified`() throws {
    let persona = Persona.gemalto
    let verification = try VerificationObject(
      persona, ["--can", persona.can, "--only", "dg11"])
    #expect(verification.exit == 0)
    let hashes = try #require(verification.document).points.filter { $0.hasPrefix("hash-") }
    #expect(
      hashes == [
        "hash-dg1 proved", "hash-dg11 proved", "hash-dg12 proved", "hash-dg14 proved",
      ])
  }

  /// For people: the two sides, and the conclusion.
  @Test func `the text states the conclusion`() throws {
    let directory = try TemporaryDirectory()
    let trust = try Persona.nxp.writeAnchors(in: directory)
    let arguments = ["verify", "--virtual", "nxp", "--trust", trust, "--can", Persona.nxp.can]
    let english = try Program.run(arguments)
    #expect(english.exitStatus == 13)
    let lines = english.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "NIS             \(Persona.nxp.nis)")
    #expect(lines.dropFirst().first == "Travel document (id-PACE-DH-GM-3DES-CBC-CBC):")
    #expect(lines.contains("  proved (TEST)       the group DG1 is the signed one"))
    #expect(
      lines.contains("it could be a clone (TEST)")
        && lines.contains("the chip is not a clone (TEST)"))
    #expect(lines.contains("Services application (IAS):"))
    #expect(english.errors.contains("Nothing is false, but the document could be a clone."))
    #expect(english.errors.contains("Compare the card and the holder's face"))
    #expect(english.errors.contains("[could-not-check; exit 13]"))
    #expect(
      lines.last
        == "TEST: The data of the document are the State's, but the document offers no proof of "
        + "its chip: they could be cloned. The services application (IAS), in the same contact, "
        + "proved its own chip; only that contact binds the two applications.")
    let italian = try Program.run(arguments + ["--language", "it"])
    #expect(italian.output.contains("\nApplicazione dei servizi (IAS):\n"))
    #expect(italian.output.hasSuffix("solo quel contatto lega le due applicazioni.\n"))
  }
}
