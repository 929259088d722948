import Foundation
import TestSupport
import Testing
import VirtualCIE

/// A software card is trusted by its own test authority, and says so wherever it is judged.
@Suite struct SoftwareCardTrustTests {
  private static let can = Persona.gemalto.can

  @Test(arguments: [
    ["nis"], ["verify"], ["verify", "--can", can], ["read", "--can", can], ["demo"],
  ])
  func `every verdict on a software card says that it is a test`(_ command: [String]) throws {
    let arguments = command + ["--virtual"]
    let plain = try Program.run(arguments + (command[0] == "read" ? ["--no-picture"] : []))
    #expect(plain.exitStatus == 0, "\(plain.errors)")
    let verdicts = ["proved", "FALSE", "not checked", "genuine", "GENUINE", "clone"]
    let lines = plain.output.split(separator: "\n").filter { line in
      verdicts.contains { line.contains($0) } && !line.contains("is the card genuine?")
    }
    #expect(lines.count >= 4)
    for line in lines { #expect(line.contains("TEST"), "\(line)") }
    let (object, _) = try Program.json(arguments)
    #expect(object["outcome"] as? String == "proved" && object["test"] as? Bool == true)
  }

  @Test func `--trust-only leaves its authority out`() throws {
    let directory = try TemporaryDirectory()
    let other = try Persona.nxp.writeAnchor(in: directory)
    let (object, result) = try Program.json(["verify", "--virtual", "--trust-only", other])
    #expect(result.exitStatus == 13)
    #expect(object["outcome"] as? String == "could-not-check" && object["test"] as? Bool == true)
  }

  /// A trace of a software card has no authority that comes with it.
  @Test func `a trace is no software card`() throws {
    let trace = Repository.url("CardTraces/virtual/gemalto-nis.trace").path
    let (object, _) = try Program.json(["nis", "--replay", trace])
    #expect(object["outcome"] as? String == "could-not-check" && object["test"] as? Bool == false)
  }
}
