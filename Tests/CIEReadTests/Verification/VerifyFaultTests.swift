import TestSupport
import Testing
import VirtualCIE

/// `verify` on both sides of a card that is false on one of them, or that does not open.
@Suite struct VerifyFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let persona: String
    let fault: String
    /// The point of the document that is false.
    let point: String
    var testDescription: String { "\(persona) \(fault)" }

    init(_ persona: String, _ fault: String, _ point: String) {
      (self.persona, self.fault, self.point) = (persona, fault, point)
    }
  }

  static let falseDocuments = [
    Case("gemalto", "tampered-group=1", "hash-dg1 false hash-differs"),
    Case("gemalto2", "tampered-group=2", "hash-dg2 false hash-differs"),
    Case("nxp", "tampered-group=11", "hash-dg11 false hash-differs"),
    Case("gemalto", "foreign-sod", "hash-dg1 false hash-differs"),
    Case("gemalto", "wrong-chip-authentication-key", "chip-authentication false chip-key-wrong"),
    Case("itj4", "wrong-chip-authentication-key", "chip-authentication false chip-key-wrong"),
    Case("unknown", "wrong-chip-authentication-key", "chip-authentication false chip-key-wrong"),
    Case("gemalto2", "wrong-active-authentication", "active-authentication false answer-wrong"),
    Case("st", "wrong-active-authentication", "active-authentication false answer-wrong"),
  ]

  /// The other side is still judged, and a false one makes the card false.
  @Test(arguments: falseDocuments)
  func `a false document makes the whole false`(_ example: Case) throws {
    let persona = try #require(Persona.named(example.persona))
    let verification = try VerificationObject(
      persona, ["--can", persona.can, "--fault", example.fault])
    #expect(verification.exit == 10)
    #expect(verification.error == "not-authentic")
    #expect(verification.overall == "false false")
    #expect(verification.document?.outcome == "false")
    #expect(verification.document?.points.contains(example.point) == true)
    // Another persona's security object is on both sides.
    let other = example.fault == "foreign-sod" ? "false" : "proved"
    #expect(verification.ias?.outcome == other)
    #expect(verification.object["outcome"] as? String == other)
  }

  @Test func `a false chip of the IAS side makes the whole false`() throws {
    // The document of this persona knows no active authentication: the first such command is for the other side.
    let verification = try VerificationObject(
      .gemalto, ["--can", Persona.gemalto.can, "--fault", "cut-data=1@88:1"])
    #expect(verification.exit == 10 && verification.overall == "false false")
    #expect(verification.document?.outcome == "proved")
    #expect(verification.ias?.open == ["challenge false answer-wrong"])
    #expect(verification.ias?.cloning == "possible")
  }

  /// A document that does not open ends the verification, without a partial result.
  @Test(arguments: [
    (["--can", "000000"], "wrong-can", 7),
    (
      ["--can", Persona.gemalto.can, "--option", "no-extended-length"], "extended-length-needed", 12
    ),
    (["--can", Persona.gemalto.can, "--option", "no-card-access"], "no-access-protocol", 12),
    (["--can", Persona.gemalto.can, "--fault", "wrong-token"], "chip-not-authentic", 10),
    (["--can", Persona.gemalto.can, "--fault", "card-removed@86:2"], "card-removed", 9),
    (["--can", Persona.gemalto.can, "--fault", "card-removed@88:1"], "card-removed", 9),
  ])
  func `a document that does not open ends the verification`(
    _ arguments: [String], _ name: String, _ exit: Int
  ) throws {
    let verification = try VerificationObject(.gemalto, arguments)
    #expect(verification.error == name)
    #expect(verification.exit == CInt(exit))
    #expect(Set(verification.object.keys) == ["schema", "ok", "command", "error"])
    let plain = try Program.run(["verify", "--virtual"] + arguments)
    #expect(plain.output == "" && plain.exitStatus == CInt(exit))
  }

  @Test(arguments: [
    (["--can", "12345"], "can-length"), (["--can", "12345x"], "can-not-digits"),
    (["--can", "000000", "--document", "CA00000AA"], "several-access-codes"),
    (["--only", "dg1"], "groups-without-access-code"),
    (["--can", "000000", "--only", "dg17"], "unknown-data-group"),
    (["--can", "000000", "--only", "dg1,dg3"], "protected-data-group"),
    (["--from", "/", "--can", "000000"], "folder-with-card"),
    (["--from", "/", "--challenge", "0001020304050607"], "folder-with-card"),
    (["--from", "/", "--only", "dg1"], "folder-with-card"),
  ])
  func `a wrong command line of verify has a named error`(
    _ arguments: [String], _ name: String
  ) throws {
    let source = arguments.contains("--from") ? [] : ["--virtual"]
    let verification = try VerificationObject(source + arguments)
    #expect(verification.exit == 64 && verification.error == name)
  }

  @Test(arguments: [
    ["--virtual"], ["--reader", "0"], ["--replay", "x"], ["--record", "x"], ["--wait", "1"],
    ["--fault", "card-removed"],
  ])
  func `--from takes no options of a card`(_ arguments: [String]) throws {
    let verification = try VerificationObject(["--from", "/"] + arguments)
    #expect(verification.exit == 64 && verification.error == "folder-with-card")
  }
}
