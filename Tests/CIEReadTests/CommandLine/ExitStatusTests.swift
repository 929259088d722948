import Foundation
import Messages
import Primitives
import TestSupport
import Testing
import VirtualCIE

@testable import cie_read

/// Faults of the card or the connection to it, and the exit status and name for each.
@Suite struct ExitStatusTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let command: [String]
    let fault: String
    let name: String
    let exit: Int
    var testDescription: String { "\(command.joined(separator: " ")) \(fault)" }

    init(_ command: String, _ fault: String, _ name: String, _ exit: Int) {
      self.command = command.split(separator: " ").map(String.init)
      self.fault = fault
      self.name = name
      self.exit = exit
    }
  }

  static let cases = [
    Case("nis", "status=6A82@2", "not-a-cie", 6),
    Case("info", "status=6A82@4,status=6A82@5", "not-a-cie", 6),
    Case("info", "status=6982@B0:1", "refused", 6),
    Case("info", "bare-status=9000@B0:1", "malformed", 6),
    Case("nis", "card-removed@3", "card-removed", 9),
    Case("nis", "card-mute@3", "card-mute", 9),
    Case("nis", "truncated-answer@3", "truncated-response", 9),
    Case("nis", "endless-61xx@3", "endless-answer", 6),
    Case("nis", "cut-data=1@88:1", "not-authentic", 10),
    Case("verify", "cut-data=1@88:1", "not-authentic", 10),
    Case("cert", "trivial-dh=generator-one", "unsafe-parameters", 10),
    Case("cert", "trivial-dh=card-value-one", "unsafe-parameters", 10),
    Case("cert", "wrong-authentication-signature", "chip-not-authentic", 10),
    Case("cert", "wrong-mac@20:1", "not-believed", 10),
    Case("pin verify", "stripped-protection@20:1", "not-believed", 10),
    Case("pin verify", "stale-counter@20:1", "not-believed", 10),
    Case("pin verify", "bare-status=9000@20:1", "not-believed", 10),
    Case("pin verify", "bare-status=6282@20:1", "not-believed", 10),
    // Bare, so it is not trusted: the PIN counts neither as wrong nor as blocked.
    Case("pin verify", "bare-status=63C2@20:1", "channel-ended", 9),
    Case("pin verify", "bare-status=6983@20:1", "channel-ended", 9),
    Case("pin verify", "bare-status=6988@20:1", "channel-ended", 9),
    Case("pin verify", "bare-status=6985@20:1", "channel-ended", 9),
    Case("pin verify", "bare-status=6882@20:1", "channel-ended", 9),
    Case("cert", "bare-status=6E00@82:1", "channel-ended", 9),
    Case("cert", "bare-status=6700@82:1", "channel-ended", 12),
    Case("cert", "bare-status=6F00@82:1", "channel-ended", 12),
    Case("cert", "bare-status=6A86@82:1", "channel-ended", 12),
    Case("cert", "bare-status=6D00@82:1", "channel-ended", 12),
    Case("pin verify", "card-removed@20:1", "card-removed", 9),
    Case("pin verify", "status=6983@20:1", "pin-blocked", 8),
    Case("pin verify", "status=6982@20:1", "refused", 12),
    Case("pin verify", "status=63C1@20:1", "wrong-pin", 7),
    Case("sign --in /dev/null", "wrong-signature", "signature-false", 10),
    Case("sign --in /dev/null", "card-removed@88:2", "card-removed", 9),
  ]

  @Test(arguments: cases)
  func `each fault ends with the exit status of its kind`(_ example: Case) throws {
    let (object, result) = try Program.json(
      example.command + ["--virtual", "--fault", example.fault], input: Persona.gemalto.pin)
    let error = try ReportedError(object)
    #expect(error.name == example.name)
    #expect(error.exit == example.exit)
    #expect(result.exitStatus == CInt(example.exit))
    #expect(object["signatures"] == nil)
    // The text for people is equivalent, with nothing on standard output that could be read as a result.
    let plain = try Program.run(
      example.command + ["--virtual", "--fault", example.fault], input: Persona.gemalto.pin)
    #expect(plain.exitStatus == CInt(example.exit))
    #expect(plain.errors.contains("[\(example.name)"))
  }

  /// No two kinds of failure share a number, and the table has the meaning of each.
  @Test func `each kind of failure has its exit status and meaning`() {
    let numbers = ExitStatus.all.map(\.rawValue)
    #expect(numbers.count == Diagnosis.Kind.allCases.count + 4)
    #expect(Set(numbers).count == numbers.count)
    for status in ExitStatus.all {
      #expect(status.meaning(.english) != status.meaning.key, "\(status.rawValue)")
    }
  }

  @Test func `a wrong PIN reports the tries left`() throws {
    let (object, result) = try Program.json(["cert", "--virtual"], input: "27182819")
    let error = try ReportedError(object)
    #expect(result.exitStatus == 7)
    #expect(error.name == "wrong-pin" && error.triesLeft == 2)
    #expect(error.step == "verify-pin" && error.statusWord == "63C2")
    let plain = try Program.run(["cert", "--virtual"], input: "27182819")
    #expect(plain.output == "")
    #expect(plain.errors.contains("The PIN is wrong: 2 tries are left."))
  }

  @Test func `a wrong PUK ends with the status of a wrong code`() throws {
    let (object, result) = try Program.json(
      ["pin", "unblock", "--virtual"], input: "00000001\n86420864\n")
    #expect(result.exitStatus == 7)
    #expect(try ReportedError(object).name == "wrong-puk")
    #expect(try ReportedError(object).triesLeft == 9)
  }

  /// The service is reached by the path in this variable of libpcsclite; there is no socket.
  @Test func `a missing PC/SC service has its exit status`() throws {
    let result = try Program.run(
      ["nis"], environment: ["PCSCLITE_CSOCK_NAME": "/proc/nonexistent/pcscd.comm"])
    #expect(result.exitStatus == 3)
    #expect(result.errors.contains("service-missing"))
  }
}
