import CIECard
import Foundation
import Messages
import Primitives
import TestSupport
import Testing
import VirtualCIE

/// Every command on every persona, for people and for scripts.
@Suite struct CommandTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func `info shows chip, applications and NIS of each persona`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let result = try Program.run(["info", "--virtual", identifier])
    #expect(result.exitStatus == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("NIS             \(persona.nis)\n"))
    let object = try Program.json(["info", "--virtual", identifier]).object
    #expect(object["command"] as? String == "info")
    #expect(object["servicesNumber"] as? String == persona.nis)
    let applications = try #require(object["applications"] as? [String])
    #expect(applications.contains("cie") && applications.contains("travel-document"))
    #expect(object["atr"] as? String == VirtualCard(persona: persona).answerToReset.hexadecimal)
    #expect(object["family"] as? String == (identifier == "st" ? "stm" : identifier))
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func `the NIS is the first line of nis`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let result = try Program.run(["nis", "--virtual", identifier])
    #expect(result.exitStatus == 0)
    #expect(result.output.hasPrefix(persona.nis + "\n"))
    #expect(result.output.contains("  proved (TEST)  the chip holds the services key\n"))
    let object = try Program.json(["nis", "--virtual", identifier]).object
    #expect(object["servicesNumber"] as? String == persona.nis)
    #expect(object["outcome"] as? String == "proved")
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func `verify proves each persona with its anchor`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let directory = try TemporaryDirectory()
    let anchor = try persona.writeAnchor(in: directory)
    let challenge = "000102030405060708090A0B0C0D0E0F"
    let result = try Program.run(["verify", "--virtual", identifier, "--trust", anchor])
    #expect(result.exitStatus == 0)
    #expect(result.output.contains("proved (TEST)  the signer was authorized by a trusted CSCA\n"))
    let object = try Program.json(
      ["verify", "--virtual", identifier, "--trust", anchor, "--challenge", challenge]
    ).object
    #expect(object["outcome"] as? String == "proved")
    #expect(object["challenge"] as? String == challenge)
    #expect((object["response"] as? String)?.count == 512)
    let points = try #require(object["points"] as? [[String: Any]])
    #expect(points.count == 10)
    #expect(points.allSatisfy { $0["verdict"] as? String == "proved" })
  }

  /// The rule for a script that depends on the number.
  @Test func `with --require-proved nis fails unless the number is proved`() throws {
    let directory = try TemporaryDirectory()
    let anchor = try Persona.gemalto.writeAnchor(in: directory)
    let proved = ["nis", "--virtual", "--require-proved"]
    #expect(try Program.json(proved + ["--trust", anchor]).result.exitStatus == 0)
    let other = try Persona.nxp.writeAnchor(in: directory)
    let (object, open) = try Program.json(proved + ["--trust-only", other])
    #expect(open.exitStatus == 13 && object["ok"] as? Bool == false)
    #expect(try ReportedError(object).name == "could-not-check")
    #expect(try Program.json(["nis", "--virtual"]).result.exitStatus == 0)
    let wrong = try Program.json(
      proved + ["--trust", anchor, "--fault", "cut-data=1@88:1"]
    ).result
    #expect(wrong.exitStatus == 10)
  }

  /// `--trust-only` leaves out the test CSCA of the persona, which is trusted otherwise.
  @Test func `verify without an anchor cannot check the chain`() throws {
    let directory = try TemporaryDirectory()
    let other = try Persona.nxp.writeAnchor(in: directory)
    let (object, result) = try Program.json(["verify", "--virtual", "--trust-only", other])
    #expect(result.exitStatus == 13)
    #expect(try ReportedError(object).name == "could-not-check")
    #expect(object["outcome"] as? String == "could-not-check")
    let points = try #require(object["points"] as? [[String: Any]])
    let chain = try #require(points.first { $0["point"] as? String == "signer-chain" })
    #expect(chain["reason"] as? String == "issuer-unknown")
  }

  @Test func `the anchor of another persona proves nothing`() throws {
    let directory = try TemporaryDirectory()
    let anchor = try Persona.nxp.writeAnchor(in: directory)
    let result = try Program.run(["verify", "--virtual", "gemalto", "--trust-only", anchor])
    #expect(result.exitStatus == 13)
  }

  @Test(arguments: Persona.all.map(\.identifier), ["pem", "der"])
  func `cert writes the certificate in each format`(_ identifier: String, _ format: String) throws {
    let persona = try #require(Persona.named(identifier))
    let result = try Program.run(
      ["cert", "--virtual", identifier, "--format", format], input: persona.pin)
    #expect(result.exitStatus == 0)
    let certificate = try Certificate(der: persona.certificate)
    #expect(
      result.standardOutput
        == (format == "der" ? persona.certificate : [UInt8](certificate.pem.utf8)))
  }

  @Test func `cert writes the certificate as text and in JSON`() throws {
    let persona = Persona.gemalto
    let result = try Program.run(
      ["cert", "--virtual", "--format", "text"], input: persona.pin)
    #expect(result.output.contains(persona.surname))
    let object = try Program.json(["cert", "--virtual"], input: persona.pin).object
    let certificate = try Certificate(der: persona.certificate)
    #expect(object["certificate"] as? String == certificate.pem)
    #expect(object["serial"] as? String == certificate.serial)
    #expect(object["notAfter"] as? String == "2045-12-31T00:00:00Z")
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func `the PIN is verified, changed and unblocked on each persona`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let source = ["--virtual", identifier]
    let verify = try Program.json(["pin", "verify"] + source, input: persona.pin + "\n")
    #expect(verify.object["command"] as? String == "pin verify")
    #expect(verify.object["pin"] as? String == "verified")
    let change = try Program.json(
      ["pin", "change"] + source, input: persona.pin + "\n86420864\n")
    #expect(change.object["pin"] as? String == "changed")
    let unblock = try Program.json(
      ["pin", "unblock"] + source, input: persona.puk + "\r\n86420864\r\n")
    #expect(unblock.object["pin"] as? String == "unblocked")
  }

  @Test(arguments: Persona.all.map(\.identifier))
  func `demo proves and signs with each persona`(_ identifier: String) throws {
    let result = try Program.run(["demo", "--virtual", identifier])
    #expect(result.exitStatus == 0)
    #expect(result.output.contains("5. A text signed by the card"))
    let object = try Program.json(["demo", "--virtual=\(identifier)"]).object
    #expect(object["outcome"] as? String == "proved")
    #expect(object["signatureHolds"] as? Bool == true)
    #expect(object["alteredTextRefused"] as? Bool == true)
  }

  @Test func `readers lists a virtual card`() throws {
    let object = try Program.json(["readers", "--virtual", "itj4"]).object
    let readers = try #require(object["readers"] as? [[String: Any]])
    #expect(readers.count == 1)
    #expect(readers.first?["family"] as? String == "itj4")
    #expect(try Program.run(["readers", "--virtual=itj4"]).output.contains("itj4"))
  }

  /// The shared options may stand before the command, and the persona may be left out.
  @Test(arguments: [
    ["--virtual", "nis"], ["--json", "--virtual", "gemalto", "nis"], ["nis", "--virtual"],
    ["--virtual=gemalto", "--wait", "1", "nis"], ["nis", "--virtual", "--json"],
    ["--force", "--no-extended", "--virtual", "nis"],
  ])
  func `shared options stand before or after the command`(_ arguments: [String]) throws {
    let result = try Program.run(arguments)
    #expect(result.exitStatus == 0)
    #expect(result.output.contains(Persona.gemalto.nis))
  }

  @Test func `the language is the option's, else the locale's`() throws {
    let italian = try Program.run(["nis", "--virtual"], environment: ["LANG": "it_IT.UTF-8"])
    #expect(italian.output.contains("verificato"))
    let english = try Program.run(
      ["nis", "--virtual", "--language", "en"], environment: ["LC_ALL": "it_IT.UTF-8"])
    #expect(english.output.contains("proved"))
    let mixed = try Program.run(
      ["nis", "--virtual"], environment: ["LC_ALL": "C", "LANG": "it_IT.UTF-8"])
    #expect(mixed.output.contains("proved"))
  }

  /// LC_ALL precedes LC_MESSAGES, that LANG, the option all of them; an empty one is ignored.
  @Test(arguments: [
    ("de", "nachgewiesen"), ("fr", "prouvé"), ("sl", "dokazano"), ("it", "verificato"),
    ("en", "proved"),
  ])
  func `every language is selected by option and by locale`(_ code: String, _ word: String) throws {
    let locale = "\(code)_IT.UTF-8"
    let other = code == "de" ? "fr_FR.UTF-8" : "de_DE.UTF-8"
    let ways: [([String], [String: String])] = [
      (["--language", code], ["LC_ALL": other]), (["--language=" + code], ["LANG": other]),
      ([], ["LC_ALL": locale, "LC_MESSAGES": other, "LANG": other]),
      ([], ["LC_ALL": "", "LC_MESSAGES": locale, "LANG": other]), ([], ["LANG": locale]),
    ]
    for (option, environment) in ways {
      let result = try Program.run(["nis", "--virtual"] + option, environment: environment)
      #expect(
        result.exitStatus == 0 && result.output.contains("  \(word) ("), "\(option) \(environment)")
    }
    let unknown = try Program.run(["nis", "--virtual"], environment: ["LANG": "hr_HR.UTF-8"])
    #expect(unknown.output.contains("  proved ("))
  }

  /// A column is counted in characters: č, ß and é take as much room as c, s and e.
  @Test(arguments: Language.allCases.map(\.rawValue))
  func `values are aligned in every language`(_ code: String) throws {
    let persona = Persona.gemalto
    let read = try Program.run(
      ["read", "--virtual", "--can", persona.can, "--no-picture", "--language", code])
    let rows = read.output.split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("  ") }
    let values = [persona.surname, persona.fiscalCode, "ITA"]
    let columns = values.map { value in
      rows.first { $0.hasSuffix("  " + value) }.map { $0.count - value.count }
    }
    #expect(columns.allSatisfy { $0 != nil } && Set(columns).count == 1, "\(read.output)")
    let info = try Program.run(["info", "--virtual", "--language", code])
    // Below the sentence.
    for line in info.output.split(separator: "\n").dropFirst() {
      #expect(
        line.count > 16 && line.prefix(16).last == " " && line.dropFirst(16).first != " ", "\(line)"
      )
    }
  }
}
