import Foundation
import Glibc
import TestSupport
import Testing
import VirtualCIE

/// `verify --from`: saved files of a travel document, good ones and hostile ones.
@Suite struct VerifyFolderTests {
  /// A folder with the files of a persona's travel document, after changing them.
  private func verification(
    _ persona: Persona = .gemalto,
    changing change: (inout [String: [UInt8]]) -> Void = { _ in },
    adding add: (String) throws -> Void = { _ in }
  ) throws -> VerificationObject {
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    try directory.makeFolder("saved")
    var files = persona.savedFiles
    change(&files)
    for (name, contents) in files { try directory.write("saved/" + name, contents) }
    try add(directory.path("saved"))
    return try VerificationObject(["--from", directory.path("saved"), "--trust", trust])
  }

  /// Signed by the State, without proof of a chip: that of a document which offers one could not be judged, and one
  /// without an offer could be a copy in any case.
  @Test(arguments: Persona.all.map(\.identifier))
  func `saved files are judged without a card`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let verification = try verification(persona)
    #expect(verification.exit == 13)
    #expect(verification.overall == "could-not-check saved-files")
    #expect(
      Set(verification.object.keys)
        == ["schema", "ok", "command", "overall", "ias", "document", "error"])
    #expect(verification.object["ias"] is NSNull)
    let document = try #require(verification.document)
    #expect(document.outcome == "could-not-check")
    #expect(document.cloning == (identifier == "nxp" ? "possible" : "not-judged"))
    #expect(document.members["access"] is NSNull)
    #expect(document.points.contains("hash-dg2 proved"))
    let reason = identifier == "nxp" ? "not-offered" : "not-tried"
    #expect(document.points.contains("chip-authentication could-not-check \(reason)"))
    #expect(document.open.allSatisfy { !$0.contains("hash") && !$0.contains(" false") })
  }

  /// The verdict on the saved files is the card's.
  @Test func `the text about saved files says that they may be a clone`() throws {
    let directory = try TemporaryDirectory()
    let trust = try Persona.st.writeAnchors(in: directory)
    for (name, contents) in Persona.st.savedFiles { try directory.write(name, contents) }
    let result = try Program.run(["verify", "--from", directory.url.path, "--trust", trust])
    #expect(result.exitStatus == 13)
    #expect(result.output.hasPrefix("Travel document, saved files:\n"))
    #expect(
      result.output.hasSuffix(
        "The saved files are the State's, unaltered; files cannot tell whether they came from a "
          + "cloned chip.\n"))
    #expect(result.errors.contains("Only the card itself can prove that it is not a clone"))
  }

  @Test func `without its anchor the verification is incomplete`() throws {
    let directory = try TemporaryDirectory()
    for (name, contents) in Persona.st.savedFiles { try directory.write(name, contents) }
    let verification = try VerificationObject(["--from", directory.url.path])
    #expect(verification.exit == 13)
    #expect(verification.overall == "could-not-check incomplete")
  }

  @Test(arguments: ["DG1", "DG2", "DG11", "DG12", "DG14"])
  func `an altered data group is false`(_ group: String) throws {
    let verification = try verification(changing: { files in
      let file = files["\(group).bin"] ?? []
      files["\(group).bin"] = file.dropLast() + file.suffix(1).map { $0 ^ 1 }
    })
    #expect(verification.exit == 10 && verification.overall == "false false")
    #expect(
      verification.document?.points.contains("hash-\(group.lowercased()) false hash-differs")
        == true)
  }

  @Test func `the security object of another document is false`() throws {
    let verification = try verification(changing: { files in
      files["EF.SOD.bin"] = Persona.st.savedFiles["EF.SOD.bin"]
    })
    #expect(verification.exit == 10 && verification.overall == "false false")
  }

  /// Files may be missing: the saved ones are judged. Other files are ignored.
  @Test func `missing files are not required, other files are ignored`() throws {
    let verification = try verification(changing: { files in
      files = files.filter { ["EF.SOD.bin", "DG1.bin"].contains($0.key) }
      files["notes.txt"] = [1, 2, 3]
      files["EF.COM.bin"] = [0xFF]
    })
    #expect(verification.exit == 13 && verification.overall == "could-not-check saved-files")
    #expect(verification.document?.cloning == "not-judged")
  }

  @Test(arguments: [[], [0x77], [0x77, 0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x30, 0x00]])
  func `a malformed security object is false`(_ contents: [UInt8]) throws {
    let verification = try verification(changing: { $0["EF.SOD.bin"] = contents })
    #expect(verification.exit == 10)
    #expect(
      verification.document?.points.first == "signature false malformed-security-object")
  }

  @Test func `without a security object the verification fails`() throws {
    let verification = try verification(changing: { $0["EF.SOD.bin"] = nil })
    #expect(verification.exit == 64 && verification.error == "no-security-object")
  }

  @Test func `a folder that does not exist is an error`() throws {
    for path in ["/proc/nonexistent", "/dev/null", "/etc/passwd"] {
      let verification = try VerificationObject(["--from", path])
      #expect(verification.exit == 64 && verification.error == "input-unreadable")
    }
  }

  /// No pipe is waited for, and no endless file is read.
  @Test(arguments: ["EF.SOD.bin", "DG1.bin", "DG16.bin", "EF.CardSecurity.bin"])
  func `pipes and endless files in a folder are refused`(_ name: String) throws {
    let pipe = try verification(changing: { $0[name] = nil }) { folder in
      #expect(mkfifo(folder + "/" + name, 0o600) == 0)
    }
    #expect(pipe.exit == 64 && pipe.error == "input-not-a-file")
    let device = try verification(changing: { $0[name] = nil }) { folder in
      #expect(symlink("/dev/zero", folder + "/" + name) == 0)
    }
    #expect(device.exit == 64 && device.error == "input-not-a-file")
    let nested = try verification(changing: { $0[name] = nil }) { folder in
      #expect(mkdir(folder + "/" + name, 0o700) == 0)
    }
    #expect(nested.exit == 64 && nested.error == "input-not-a-file")
    let huge = try verification(changing: { $0[name] = [] }) { folder in
      #expect(truncate(folder + "/" + name, 1 << 40) == 0)
    }
    #expect(huge.exit == 64 && huge.error == "input-unreadable")
    let loop = try verification(changing: { $0[name] = nil }) { folder in
      #expect(symlink(name, folder + "/" + name) == 0)
    }
    #expect(loop.exit == 64 && loop.error == "input-unreadable")
  }
}

/// `verify --from` accepts the files of `read --out`.
@Suite struct SavedAndVerifiedTests {
  @Test(arguments: Persona.all.map(\.identifier))
  func `verify judges saved files like the card`(_ identifier: String) throws {
    let persona = try #require(Persona.named(identifier))
    let directory = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: directory)
    let folder = directory.path("saved")
    let reading = try Program.run([
      "read", "--virtual", identifier, "--trust", trust, "--can", persona.can, "--out", folder,
    ])
    #expect(reading.exitStatus == (identifier == "nxp" ? 13 : 0))
    let verification = try VerificationObject(["--from", folder, "--trust", trust])
    #expect(verification.exit == 13)
    #expect(verification.overall == "could-not-check saved-files")
    // The same points as of the card, but those of the chip.
    let card = try VerificationObject(persona, ["--can", persona.can])
    func passive(_ side: VerificationObject.Side?) -> [String]? {
      side?.points.filter { !$0.contains("-authentication ") }
    }
    #expect(passive(verification.document) == passive(card.document))
    #expect(passive(card.document)?.contains("hash-dg2 proved") == true)
  }
}
