import TestSupport
import Testing
import VirtualCIE

/// PIN, PUK and the holder's name do not appear unless requested, in any failure.
@Suite struct SecrecyTests {
  static let faults =
    ["", "wrong-mac@N", "stripped-protection@N", "truncated-answer@N", "cut-data=3@N"]
    + ["card-removed@N", "status=6985@N", "endless-61xx@N", "endless-6cxx@N"]

  @Test(arguments: ["cert", "pin verify", "pin change", "pin unblock", "sign"], faults)
  func `planted secrets reach no output and no file`(_ command: String, _ fault: String) throws {
    let persona = Persona.gemalto
    let newPIN = "86420864"
    let directory = try TemporaryDirectory()
    let input = (command == "pin unblock" ? persona.puk : persona.pin) + "\n" + newPIN + "\n"
    var arguments = command.split(separator: " ").map(String.init) + ["--virtual"]
    if command == "sign" {
      arguments += ["--in", "/dev/null", "--out", directory.path("signature")]
    }
    if command == "cert" { arguments += ["--out", directory.path("certificate")] }
    arguments += ["--record", directory.path("diary")]
    let own = ["cert": "B0:4", "pin change": "24:1", "pin unblock": "2C:1", "sign": "88:2"]
    for moment in fault.isEmpty ? ["1"] : ["14", "20:1", own[command] ?? "3"] {
      let planned =
        fault.isEmpty ? [] : ["--fault", fault.replacing("@N", with: "@" + moment)]
      let plain = try Program.run(arguments + planned, input: input)
      let json = try Program.run(arguments + planned + ["--json"], input: input)
      let diary = String(decoding: try directory.read("diary"), as: UTF8.self)
      let texts = [plain.output, plain.errors, json.output, json.errors, diary]
      for text in texts {
        for secret in [persona.pin, persona.puk, newPIN] { #expect(!text.contains(secret)) }
      }
      // The output of `cert` names the holder.
      for text in command == "cert" ? [plain.errors, json.errors, diary] : texts {
        for name in [persona.surname, persona.givenName, persona.fiscalCode] {
          #expect(!text.contains(name))
        }
      }
      guard case .exited = plain.end else {
        Issue.record("\(command) \(planned) ended by \(plain.end)")
        return
      }
    }
  }

  /// The environment and the list of processes never hold codes, because codes are no arguments; this is about output
  /// of a wrong PIN.
  @Test func `wrong codes are not echoed`() throws {
    for input in ["90817263", "9081726354", "9081726x"] {
      for option in [[], ["--json"]] {
        let result = try Program.run(["pin", "verify", "--virtual"] + option, input: input)
        #expect(result.exitStatus == (input.count == 8 && input.allSatisfy(\.isNumber) ? 7 : 64))
        #expect(!(result.output + result.errors).contains("90817"))
      }
    }
  }
}
