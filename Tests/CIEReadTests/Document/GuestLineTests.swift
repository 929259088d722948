import CIECard
import Foundation
import TestSupport
import Testing
import VirtualCIE

@testable import CardWork
@testable import cie_read

/// The lines that `cie-read read --alloggiati` writes for the police's portal.
@Suite struct GuestLineTests {
  private static let head = "Codice,Descrizione,Provincia,DataFineVal\r\n"
  /// Invented municipalities, of which one was renumbered, and one has a namesake in another province.
  private static let table =
    head + "499000001,BORGO INVENTATO,ZZ,31/12/1990 00:00:00\r\n499000002,BORGO INVENTATO,ZZ,\r\n"
    + "499000003,CITTA' DELL'ESEMPIO,ZZ,\r\n499000004,FINTAVALLE,ZZ,\r\n499000005,FINTAVALLE,YY,\r\n"
    + "499000006,CAMPOSPECIMEN,ZZ,30/09/1983 00:00:00\r\n"
  private static let states = head + "100000100,ITALIA,ES,\r\n100000999,ALTROVE,ES,\r\n"

  private func read(
    _ persona: Persona, in directory: borrowing TemporaryDirectory, _ more: [String] = []
  ) throws -> ProcessResult {
    let places = try directory.write("comuni.csv", [UInt8](Self.table.utf8))
    let states = try directory.write("stati.csv", [UInt8](Self.states.utf8))
    return try Program.run(
      ["read", "--virtual", persona.identifier, "--can", persona.can, "--no-picture"]
        + ["--alloggiati", directory.path("guests"), "--places", places, "--places", states]
        + ["--nights", "3"] + more)
  }

  private func day(_ offset: Int = 0) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "dd/MM/yyyy"
    return format.string(
      from: Calendar.current.date(byAdding: .day, value: offset, to: Date()) ?? Date())
  }

  /// Field by field, as the portal's manual lists them.
  private func line(
    _ role: String, _ arrival: String, _ surname: String, _ name: String, _ sex: String,
    _ birth: String, _ place: String, document: String?
  ) -> String {
    func wide(_ text: String, _ width: Int) -> String {
      text.padding(toLength: width, withPad: " ", startingAt: 0)
    }
    let person = wide(surname, 50) + wide(name, 30) + sex + birth + wide(place, 20)
    return role + arrival + "03" + person + "100000100" + wide(document ?? "", 34)
  }

  @Test func `a guest is one line of 168 characters`() throws {
    let directory = try TemporaryDirectory()
    let days = [day(), day()]
    let result = try read(.gemalto, in: directory)
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.output.contains("Guest added to \(directory.path("guests")). (TEST)"))
    let lines = [days.first, day()].map { arrival in
      line(
        "16", arrival ?? "", "PROVA", "GELSOMINA", "2", "30/02/1980", "499000001ZZ100000100",
        document: "IDELECT10001ZG           499000002")
    }
    let written = String(decoding: try directory.read("guests"), as: UTF8.self)
    #expect(written.utf8.count == 168)
    #expect(lines.contains(written))
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("guests"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `members follow their head, once each`() throws {
    let directory = try TemporaryDirectory()
    let member = ["--guest", "family-member", "--arrival", "yesterday"]
    let orphan = try read(.st, in: directory, member)
    #expect(orphan.exitStatus == 64)
    #expect(orphan.errors.contains("[no-head; exit 64]"))
    #expect(try !directory.fileNames().contains("guests"))
    let before = day(-1)
    let head = ["--guest", "family-head", "--arrival", "yesterday"]
    #expect(try read(.gemalto, in: directory, head).exitStatus == 0)
    #expect(try read(.st, in: directory, member).exitStatus == 0)
    let written = String(decoding: try directory.read("guests"), as: UTF8.self)
    let lines = written.components(separatedBy: "\r\n")
    #expect(lines.count == 2 && written.utf8.count == 168 + 2 + 168)
    #expect(
      [before, day(-1)].map { arrival in
        line(
          "19", arrival, "ESEMPIO", "STELLA", "2", "31/06/1982", "499000003ZZ100000100",
          document: nil)
      }.contains(lines.last ?? ""))
    // Again, and with the last line ended by an editor: said, and not written.
    let again = try read(.gemalto, in: directory, head)
    #expect(again.exitStatus == 0)
    #expect(again.output.contains("not added again"))
    #expect(String(decoding: try directory.read("guests"), as: UTF8.self) == written)
    for end in ["\n", "\r\n"] {
      try directory.write("guests", [UInt8]((written + end).utf8))
      let edited = try read(.gemalto2, in: directory, ["--issued-in", "Fintavalle (YY)"])
      #expect(edited.exitStatus == 0, "\(edited.errors)")
      let lines = String(decoding: try directory.read("guests"), as: UTF8.self)
      #expect(lines.hasPrefix(written + "\r\n") && lines.utf8.count == 3 * 168 + 4)
    }
  }

  /// In its place; a head that has members stays one.
  @Test func `another stay of the same guest and arrival replaces the line`() throws {
    let directory = try TemporaryDirectory()
    let head = ["--guest", "family-head", "--arrival", "yesterday"]
    let member = ["--guest", "family-member", "--arrival", "yesterday"]
    #expect(try read(.gemalto, in: directory, head).exitStatus == 0)
    #expect(try read(.st, in: directory, member).exitStatus == 0)
    let before = try directory.read("guests")
    let single = try read(.gemalto, in: directory, ["--arrival", "yesterday"])
    #expect(single.exitStatus == 64 && single.errors.contains("[no-head; exit 64]"))
    #expect(try directory.read("guests") == before)
    let longer = try read(.gemalto, in: directory, head + ["--nights", "5", "--json"])
    #expect(longer.exitStatus == 0, "\(longer.errors)")
    #expect(longer.output.contains(#""written":true,"replaced":true"#))
    var expected = before
    expected[13] = UInt8(ascii: "5")
    #expect(try directory.read("guests") == expected)
    let back = try read(.gemalto, in: directory, head)
    #expect(back.output.contains("The guest's line in \(directory.path("guests")) is replaced"))
    #expect(try directory.read("guests") == before)
  }

  /// Counters of a group share the file.
  @Test func `a file keeps its permissions, and a link or standard output is refused`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("guests", [], permissions: 0o660)
    #expect(try read(.gemalto, in: directory).exitStatus == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("guests"))
    #expect(attributes[.posixPermissions] as? Int == 0o660)
    try FileManager.default.removeItem(atPath: directory.path("guests"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("guests"), withDestinationPath: directory.path("absent"))
    for more in [[], ["--alloggiati", "-"]] {
      let result = try read(.gemalto, in: directory, more)
      #expect(result.errors.contains("[guest-file-indirect; exit 64]"), "\(result.errors)")
    }
    #expect(try !directory.fileNames().contains("absent"))
  }

  /// NFS answers EBADF, because it locks for writing only what is open for writing.
  @Test func `a folder that cannot be locked is said so`() {
    #expect(Diagnosis(GuestFile.lockFailure(EBADF, "g")).name == "guest-file-unlocked")
    #expect(Diagnosis(GuestFile.lockFailure(EIO, "g")).name == "output-unwritable")
  }

  /// Before the card is read, so that no data of it are shown.
  @Test func `a place that does not depend on the card is looked up first`() throws {
    let directory = try TemporaryDirectory()
    let elsewhere = try read(.gemalto, in: directory, ["--issued-in", "NUSQUAMIA"])
    #expect(elsewhere.errors.contains("NUSQUAMIA is not in the table"))
    #expect(elsewhere.exitStatus == 64 && elsewhere.output == "")
  }

  @Test func `a table that is not UTF-8 is refused with its line`() throws {
    let directory = try TemporaryDirectory()
    let bad = try directory.write(
      "bad.csv", [UInt8](Self.head.utf8) + "499000008,CITT".utf8 + [0xC0] + ",ZZ,\r\n".utf8)
    let result = try read(.gemalto, in: directory, ["--places", bad])
    #expect(result.errors.contains("bad.csv is not UTF-8 in line 2"), "\(result.errors)")
    #expect(result.errors.contains("[places-encoding; exit 64]"))
  }

  /// The place named in the error, and no file.
  @Test func `a place that is not in the table, or there twice, is named`() throws {
    let directory = try TemporaryDirectory()
    let ministry = try read(.itj4, in: directory, ["--issued-in", "FINTAVALLE (YY)"])
    #expect(ministry.errors.contains("CAMPOSPECIMEN (ZZ) is not in the table"))
    #expect(ministry.errors.contains("[unknown-place; exit 64]"))
    let twice = try read(.gemalto2, in: directory)
    #expect(twice.errors.contains("Several places are called FINTAVALLE:"))
    #expect(twice.exitStatus == 64)
    #expect(try !directory.fileNames().contains("guests"))
    let solved = try read(.gemalto2, in: directory, ["--issued-in", "Fintavalle (YY)"])
    #expect(solved.exitStatus == 0, "\(solved.errors)")
    #expect(try directory.read("guests").suffix(9).elementsEqual("499000005".utf8))
  }

  /// Without the proof of the chip the data could be a copy's.
  @Test func `a card that is not proved leaves no line`() throws {
    let directory = try TemporaryDirectory()
    #expect(try read(.nxp, in: directory).exitStatus == 13)
    #expect(try !directory.fileNames().contains("guests"))
  }

  @Test(arguments: [
    (["--nights", "31"], "bad-value"), (["--nights", "0"], "bad-value"),
    ([], "bad-guest-file"),
  ])
  func `other files and nights are refused, and stay`(_ more: [String], _ name: String) throws {
    let directory = try TemporaryDirectory()
    let form = String(repeating: "A", count: 168) + "\n" + String(repeating: "A", count: 168)
    if name == "bad-guest-file" { try directory.write("guests", [UInt8](form.utf8)) }
    let result = try read(.gemalto, in: directory, more)
    #expect(result.exitStatus == 64)
    #expect(result.errors.contains("[\(name); exit 64]"))
    #expect(try directory.fileNames().contains("guests") == (name == "bad-guest-file"))
  }

  @Test(arguments: [
    "", "Codice,Nome\n", "\(head)49900001,BREVE,ZZ,\n", "\(head)499000001,DUE\n",
    "\(head)499000001,FINE,ZZ,ieri\n", "\(head)499000001,LUNGA,ŉ,\n",
  ])
  func `a table of another form is refused`(_ table: String) throws {
    let directory = try TemporaryDirectory()
    let bad = try directory.write("bad.csv", [UInt8](table.utf8))
    let result = try read(.gemalto, in: directory, ["--places", bad])
    #expect(result.errors.contains("[bad-places; exit 64]"))
  }

  /// The full name, the zone's, and none.
  @Test func `a name has the letters of the line, or those of the zone`() throws {
    func name(_ full: String, zone: String) throws -> (String, Bool) {
      let value = [UInt8](full.utf8)
      let file = [0x6B, UInt8(value.count + 3), 0x5F, 0x0E, UInt8(value.count)] + value
      let person = try DataGroup.PersonalDetails(dataGroup11: file)
      let text =
        "C<ITACT10001ZG0<<<<<<<<<<<<<<<8002309F3403015ITA<<<<<<<<<<<2"
        + zone.padding(toLength: 30, withPad: "<", startingAt: 0)
      let (chosen, isZoneName) = try GuestRecord.name(
        try #require(person.name), try MRZ(text: text))
      return (chosen.surname + "/" + chosen.givenNames, isZoneName)
    }
    #expect(
      try name("D'AMICO<<ADA<MARIA", zone: "DAMICO<<ADA<MARIA") == ("D'AMICO/ADA MARIA", false))
    #expect(try name("NICCOLÒ<<ADA", zone: "NICCOLO<<ADA") == ("NICCOLO/ADA", true))
    #expect(throws: (any Error).self) {
      try name("NICCOLÒ<<ADA", zone: "NICCOLO<<ADA<MARIA<ANTONIA<GIU")
    }
  }
}
