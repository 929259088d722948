import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The special personas, from the card to the verdict.
@Suite struct SpecialPersonaTests {
  private func judge(
    _ persona: Persona, _ command: String
  ) throws -> (object: [String: Any], exit: CInt?) {
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    let picture = command == "read" ? ["--no-picture"] : []
    let (object, result) = try Program.json(
      [command, "--virtual", persona.identifier, "--can", persona.can, "--trust-only", trust]
        + picture)
    return (object, result.exitStatus)
  }

  /// The text for people.
  private func show(
    _ persona: Persona, _ command: String, _ language: String
  ) throws -> ProcessResult {
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    let picture = command == "read" ? ["--no-picture"] : []
    return try Program.run(
      [command, "--virtual", persona.identifier, "--can", persona.can, "--trust-only", trust]
        + ["--language", language] + picture)
  }

  /// Issued after 2026-07-30 to a person of more than seventy: 76 in the zone is 2076, the certificate ends in 2036.
  @Test(arguments: ["read", "verify"]) func `a document of fifty years outlives its signer`(
    _ command: String
  ) throws {
    let (object, exit) = try judge(.senior, command)
    #expect(exit == 0)
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["validUntil"] as? String == "2076-08-07")
    #expect(document["expired"] as? Bool == false)
    #expect(document["certificateValidUntil"] as? String == "2045-12-31T00:00:00Z")
  }

  /// Its two sides have one signer, so one CSCA proves them both.
  @Test func `one signer for both sides of the card`() throws {
    let persona = Persona.senior
    let directory = try TemporaryDirectory()
    let trust = try directory.write("csca.der", persona.csca)
    let verification = try VerificationObject([
      "--virtual", persona.identifier, "--can", persona.can, "--trust-only", trust,
    ])
    #expect(verification.exit == 0 && verification.overall.hasPrefix("proved "))
    #expect(verification.ias?.outcome == "proved" && verification.document?.outcome == "proved")
  }

  /// Of 2018: genuine, and the uses of SHA-1 are named.
  @Test func `SHA-1 is reported`() throws {
    let (object, exit) = try judge(.early, "read")
    #expect(exit == 0)
    #expect(object["error"] == nil)
    let verification = try VerificationObject(.early, ["--can", Persona.early.can])
    #expect(verification.exit == 0 && verification.overall.hasPrefix("proved "))
    for side in [verification.ias, verification.document] {
      #expect(
        side?.points.filter { $0.hasSuffix("sha1") } == [
          "signature proved sha1", "signer-chain proved sha1",
        ])
    }
    let words = [
      "en": "with SHA-1, which is weak, as on genuine cards from 2016 to 2020",
      "it": "con SHA-1, che è debole, come sulle carte autentiche dal 2016 al 2020",
      "de": "mit SHA-1, das schwach ist, wie bei echten Karten von 2016 bis 2020",
      "fr": "avec SHA-1, qui est faible, comme sur les cartes authentiques de 2016 à 2020",
      "sl": "s SHA-1, ki je šibek, kot na pristnih karticah od 2016 do 2020",
    ]
    for (language, text) in words {
      let verify = try show(.early, "verify", language)
      #expect(verify.exitStatus == 0)
      #expect(verify.output.components(separatedBy: text).count == 5, "both sides, twice each")
      let read = try show(.early, "read", language)
      #expect(read.exitStatus == 0 && read.output.contains(text))
    }
  }

  /// One of the cards on the deviation list of 2018: neither forged nor proved.
  @Test(arguments: ["read", "verify"]) func `a published production fault is reported as such`(
    _ command: String
  ) throws {
    let (object, exit) = try judge(.recalled, command)
    #expect(exit == 13)
    #expect(try ReportedError(object).name == "known-production-fault")
    let words = [
      "en": ("known production fault, listed by the Ministry", "NOT PROVED: "),
      "it": ("difetto di produzione noto, elencato dal Ministero", "NON VERIFICATO: "),
      "de": ("Produktionsfehler", "NICHT NACHGEWIESEN: "),
      "fr": ("défaut de fabrication connu, recensé par le ministère", "NON PROUVÉ\u{A0}: "),
      "sl": ("s seznama ministrstva", "NI DOKAZANO: "),
    ]
    for (language, (text, headline)) in words {
      let result = try show(.recalled, command, language)
      #expect(result.exitStatus == 13)
      #expect(result.output.contains(text) && result.errors.contains(text))
      #expect(result.output.hasPrefix(headline) == (command == "read"))
    }
  }

  /// The certificate can end before the card: `cert` returns it and reports that.
  @Test func `an expired certificate is reported`() throws {
    let (object, result) = try Program.json(
      ["cert", "--virtual", "early"], input: Persona.early.pin)
    #expect(result.exitStatus == 0)
    #expect(object["expired"] as? Bool == true)
    #expect(object["notAfter"] as? String == "2025-12-31T00:00:00Z")
    let words = [
      "en": "Warning: the certificate expired on 31 Dec 2025. The card may be valid for longer",
      "it": "Avviso: il certificato è scaduto il 31/12/2025. La carta può valere più a lungo",
      "de":
        "Warnung: Das Zertifikat ist am 31.12.2025 abgelaufen. Die Karte kann länger gültig sein",
      "fr":
        "Avertissement\u{A0}: le certificat a expiré le 31/12/2025. La carte peut rester valable",
      "sl": "Opozorilo: potrdilo je poteklo 31.\u{A0}12.\u{A0}2025. Kartica lahko velja dlje",
    ]
    for (language, text) in words {
      let plain = try Program.run(
        ["cert", "--virtual", "early", "--language", language], input: Persona.early.pin)
      #expect(plain.exitStatus == 0 && plain.output.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
      #expect(plain.errors.contains(text))
    }
    // The certificate of the card of fifty years lasts until 2036.
    let (senior, _) = try Program.json(["cert", "--virtual", "senior"], input: Persona.senior.pin)
    #expect(senior["expired"] as? Bool == false)
    #expect(senior["notAfter"] as? String == "2036-12-31T00:00:00Z")
    let quiet = try Program.run(["cert", "--virtual", "senior"], input: Persona.senior.pin)
    #expect(!quiet.errors.contains("ended"))
  }

  /// Every persona of the list can open and use its card.
  @Test(arguments: Persona.special.map(\.identifier))
  func `every special persona opens and uses its card`(
    _ name: String
  ) throws {
    let persona = try #require(Persona.named(name))
    let (object, result) = try Program.json(
      ["sign", "--in", "/dev/null", "--virtual", name], input: persona.pin)
    #expect(result.exitStatus == 0 && object["signatures"] != nil)
    #expect(
      try Program.run(["pin", "verify", "--virtual", name], input: persona.pin).exitStatus == 0)
  }
}
