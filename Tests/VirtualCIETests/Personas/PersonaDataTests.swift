import Foundation
@testable import Primitives
import TestSupport
import Testing

@testable import VirtualCIE

/// The data files of the personas are all compiled in, and each persona is read completely.
@Suite struct PersonaDataTests {
  @Test func everyFolderIsAPersona() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.path("Sources/C/CPersonaData/data"))
    #expect(folders.sorted() == Persona.everyone.map(\.identifier).sorted())
  }

  @Test(arguments: Persona.everyone.map(\.identifier))
  func everyFileIsCompiledIn(_ identifier: String) throws {
    let files = PersonaFiles(folder: identifier)
    let folder = "Sources/C/CPersonaData/data/\(identifier)"
    for (under, suffix) in [("", ".der"), ("", ".txt"), ("travel-document/", "")] {
      for file in try Repository.files(in: "\(folder)/\(under)", ending: suffix)
      where !file.hasDirectoryPath {
        let name = under + file.lastPathComponent
        #expect(try files[name] == Repository.read(file.path), "\(identifier)/\(name)")
      }
    }
  }

  @Test(arguments: Persona.everyone.map(\.identifier))
  func everyPersonaIsReadWhole(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    #expect(persona.files.text("persona.txt")["family"] == persona.family.rawValue)
    #expect(persona.nis.count == 12 && persona.documentNumber.count == 9)
    #expect(persona.pin.count == 8 && persona.puk.count == 8 && persona.can.count == 6)
    #expect(persona.mrzLines.map(\.count) == [30, 30, 30])
    #expect(persona.fiscalCode.count == 16)
    #expect(!persona.givenName.isEmpty && !persona.surname.isEmpty)
    for key in [persona.holderKey, persona.deviceKey, persona.servicesKey] {
      #expect(key.modulus.count == 256 && key.parts.count == 5)
    }
    let authority = persona.terminalAuthority
    #expect(authority.modulus.count == 256 && authority.reference.count == 8)
    #expect(!authority.exponent.isEmpty)
    for key in persona.travelDocument.chipAuthenticationKeys { #expect(key.scalar.count == 32) }
  }

  @Test func whatIsMissingIsEmpty() {
    let files = PersonaFiles(folder: "nobody")
    #expect(files["certificate.der"].isEmpty && files.text("persona.txt")["pin"].isEmpty)
    #expect(files.privateKey("holder-key.der").modulus.isEmpty)
    #expect(PersonaFiles(folder: "gemalto")["../nxp/persona.txt"].isEmpty)
    let nobody = Persona("nobody")
    #expect(nobody.birthDate.isEmpty && nobody.travelDocument.dataGroups.isEmpty)
  }

  @Test func aTextHasLinesAndWords() {
    let text = PersonaText([UInt8]("# a: b\nname: one: two\nname:three\nno colon\n".utf8))
    #expect(text.values("name") == ["one: two", "three"] && text["a"].isEmpty)
    #expect(PersonaText.words("a=1 b c==") == ["a": "1", "c": "="])
  }
}
