import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The files of `cie-read read`: the portrait, and the files of the document.
@Suite struct ReadFilesTests {
  private func read(_ persona: Persona, _ arguments: [String]) throws -> ProcessResult {
    try Program.run(["read", "--virtual", persona.identifier, "--can", persona.can] + arguments)
  }

  /// Width, height, colour type and the number of colours of a PNG, by Python's zlib, independently of our code.
  private static let pngReader = """
    import struct, sys, zlib
    data = open(sys.argv[1], 'rb').read()
    assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
    at, pixels = 8, b''
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b'IHDR': head = struct.unpack('>IIBBBBB', body)
        if kind == b'IDAT': pixels += body
        at += 12 + length
    rows = zlib.decompress(pixels)
    assert kind == b'IEND' and len(rows) == head[1] * (head[0] * 3 + 1)
    print(*head, len(set(rows)) > 50)
    """

  /// In JPEG 2000 and in JPEG.
  @Test(arguments: ["gemalto", "nxp", "unknown"])
  func `the photo is written as PNG`(_ identifier: String) throws {
    let directory = try TemporaryDirectory()
    let file = directory.path("photo.png")
    let persona = try #require(Persona.named(identifier))
    #expect(try read(persona, ["--photo", file]).exitStatus == (identifier == "nxp" ? 13 : 0))
    let reader = try BuiltBinary(path: "/usr/bin/env").run(
      ["python3", "-c", Self.pngReader, file])
    #expect(reader.output == "300 400 8 2 0 0 0 True\n", "\(reader.errors)")
    #expect(try directory.mode("photo.png") == 0o600)
  }

  @Test func `the photo is written in other formats`() throws {
    let directory = try TemporaryDirectory()
    func bytes(_ persona: Persona, _ name: String) throws -> [UInt8] {
      #expect(try read(persona, ["--photo", directory.path(name)]).exitStatus == 0)
      return try directory.read(name)
    }
    let stored = try bytes(.gemalto, "photo")
    #expect(stored.dropFirst(4).prefix(4) == [0x6A, 0x50, 0x20, 0x20])
    #expect(try bytes(.gemalto, "photo.JP2") == stored)
    #expect(try bytes(.gemalto, "photo.jpg").prefix(3) == [0xFF, 0xD8, 0xFF])
    #expect(try bytes(.unknown, "other.jpeg") == bytes(.unknown, "other"))
    // A JPEG is not converted to JPEG 2000, and no file of another format than its name's is left.
    let names = try directory.fileNames()
    let refused = try read(.unknown, ["--photo", directory.path("wrong.jp2")])
    #expect(refused.exitStatus == 64)
    #expect(refused.errors.contains("[photo-format; exit 64]"))
    #expect(refused.output.contains(Persona.unknown.surname))
    #expect(try directory.fileNames() == names)
  }

  @Test func `the photo is read even if only other groups are requested`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path("photo.png")
    #expect(try read(.nxp, ["--only", "dg11", "--photo", file]).exitStatus == 13)
    #expect(try directory.fileNames() == ["photo.png"])
  }

  /// Every file as read; the hashes are those in the JSON.
  @Test(arguments: Persona.all.map(\.identifier))
  func `read --out saves every file`(_ identifier: String) throws {
    let directory = try TemporaryDirectory()
    let persona = try #require(Persona.named(identifier))
    let (object, result) = try Program.json(
      ["read", "--virtual", identifier, "--can", persona.can, "--out", directory.path("saved")])
    #expect(result.exitStatus == (identifier == "nxp" ? 13 : 0))
    #expect(try directory.mode("saved") == 0o700)
    let files = try #require(object["files"] as? [[String: Any]])
    let portrait = try #require(object["portrait"] as? [String: Any])
    var expected = ["portrait." + (portrait["format"] as? String == "jpeg" ? "jpg" : "jp2")]
    for file in files {
      let name = try #require(file["name"] as? String)
      expected.append(name + ".bin")
      #expect(try directory.mode("saved/\(name).bin") == 0o600)
      let hash = try BuiltBinary(path: "/usr/bin/env").run(
        ["sha256sum", directory.path("saved/\(name).bin")])
      #expect(hash.output.prefix(64).uppercased() == file["sha256"] as? String)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("saved"))
    #expect(names.sorted() == expected.sorted())
    #expect(names.contains("EF.COM.bin") && names.contains("EF.SOD.bin"))
    #expect(try directory.fileNames() == ["saved"])
  }

  /// Existing files are not overwritten; an empty folder is filled.
  @Test func `an existing folder is left alone`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeFolder("empty")
    #expect(try read(.nxp, ["--out", directory.path("empty") + "/"]).exitStatus == 13)
    #expect(try directory.mode("empty") == 0o700)
    let again = try read(.nxp, ["--out", directory.path("empty")])
    #expect(again.exitStatus == 64)
    #expect(again.errors.contains("[folder-not-empty; exit 64]"))
    let file = try directory.write("file", [1])
    #expect(try read(.nxp, ["--out", file]).exitStatus == 64)
    #expect(try directory.read("file") == [1])
    #expect(try read(.nxp, ["--out", directory.path("no/such")]).exitStatus == 1)
    #expect(try directory.fileNames() == ["empty", "file"])
  }

  /// A card that is lost on the way leaves no files behind.
  @Test func `no partial files are left`() throws {
    let directory = try TemporaryDirectory()
    let result = try read(
      .gemalto,
      ["--out", directory.path("saved"), "--photo", directory.path("photo.png")]
        + ["--fault", "card-removed@B0:6"])
    #expect(result.exitStatus == 9)
    #expect(try directory.fileNames() == [])
  }
}

extension TemporaryDirectory {
  /// The POSIX mode of a file or folder.
  fileprivate borrowing func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
