import Foundation
import Glibc
import Primitives
import TestSupport
import Testing
import VirtualCIE

/// Paths are bytes: they go to the system as they came, in every place that takes one, and are shown without ambiguity.
@Suite struct PathBytesTests {
  /// A letter in Latin-1, half of one in UTF-8, a surrogate, and the text that stands for a byte.
  static let names: [[UInt8]] = [
    Array("caff".utf8) + [0xE8], [0xC3] + Array("x".utf8), [0xED, 0xA0, 0x80] + Array("y".utf8),
    Array("a\\xE8".utf8), [0xFF, 0xFE],
  ]

  private let persona = Persona.gemalto

  private func write(_ path: String, _ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try FileDescriptor(file).writeAll([UInt8](text.utf8))
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private func sign(_ arguments: [String]) throws -> (rows: [[String: Any]], ProcessResult) {
    let (object, result) = try Program.json(
      ["sign", "--virtual", persona.identifier, "--format", "cades"] + arguments,
      input: persona.pin)
    return (object["documents"] as? [[String: Any]] ?? [], result)
  }

  @Test func `a folder is signed whole, or its rest is told`() throws {
    let folder = try TemporaryDirectory()
    let place = folder.path("in")
    try folder.makeFolder("in/below")
    for name in Self.names { try write(place + "/" + String(system: name), "text") }
    // One letter in two spellings, which are different files.
    for name in ["\u{E9}", "e\u{301}"] { try write(place + "/" + name, name) }
    try #require(symlink("nowhere", place + "/link") == 0)
    try #require(mkfifo(place + "/pipe", 0o600) == 0)
    let (rows, result) = try sign([place, "--out-dir", folder.path("out")])
    #expect(rows.count == Self.names.count + 4)
    #expect(result.exitStatus == 64)
    let failed = rows.compactMap { row in
      row["error"] is NSNull ? nil : (row["in"] as? String)?.split(separator: "/").last
    }
    #expect(failed == ["link", "pipe"])
    for name in Self.names + [Array("\u{E9}".utf8), Array("e\u{301}".utf8)] {
      let signed = folder.path("out") + "/" + String(system: name + Array(".p7m".utf8))
      #expect(exists(signed), "\(name)")
      let checked = try Program.run(["check", signed])
      #expect(checked.exitStatus == 13, "\(checked.output)\(checked.errors)")
    }
  }

  @Test(arguments: names)
  func `an argument and every file option take any name`(_ name: [UInt8]) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("") + "/" + String(system: name)
    try write(path, "text")
    let output = path + ".signed"
    let (rows, result) = try sign([path, "--detached", "--out", output])
    #expect(result.exitStatus == 0)
    let shown = path.printable
    #expect(rows.first?["in"] as? String == shown)
    #expect(String(escapedSystem: shown).systemBytes == path.systemBytes)
    let extracted = path + ".again"
    let checked = try Program.run(["check", output, "--content", path])
    #expect(checked.exitStatus == 13, "\(checked.output)\(checked.errors)")
    #expect(try sign([path]).1.exitStatus == 0)
    let again = try Program.run(["check", path + ".p7m", "--extract", extracted])
    #expect(again.exitStatus == 13 && exists(extracted))
    let missing = try Program.run(["check", path + ".p7m", "--trust", path])
    #expect(missing.errors.contains("no certificate found"), "\(missing.errors)")
    let pin = path + ".pin"
    try write(pin, persona.pin)
    let certificate = path + ".der"
    let read = try Program.run([
      "cert", "--virtual", persona.identifier, "--pin-file", pin, "--out", certificate,
    ])
    #expect(read.exitStatus == 0 && exists(certificate), "\(read.errors)")
  }

  @Test func `no two names have one form`() {
    var forms: Set<String> = []
    let names: [[UInt8]] = [[0xE8], Array("\\xE8".utf8), Array("\\x5CxE8".utf8), [0x5C, 0xE8]]
    for name in names { forms.insert(String(system: name).printable) }
    #expect(forms.count == names.count)
    for byte in UInt8.min...UInt8.max {
      for name in [[byte], [0x5C, 0x78, byte, byte], [0xF4, 0x8F, 0xB8, byte], [0xC3, byte]] {
        let text = String(system: name)
        #expect(text.systemBytes == name)
        #expect(
          String(escapedSystem: text.printable).systemBytes == name || text.printable.contains("u{")
        )
      }
    }
  }

  /// Other words are text; bytes outside of UTF-8 must not come into a document.
  @Test func `a reason is text`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("a.pdf", SignDocumentTests.pdf)
    let result = try Program.run(
      ["sign", "--virtual", persona.identifier, "--format", "pades", file, "--reason"]
        + [String(system: [0x61, 0xE8])], input: persona.pin)
    #expect(result.exitStatus == 64)
    #expect(result.errors.contains("[bad-value; exit 64]"))
  }

  @Test(arguments: [244, 248, 251]) func `a name as long as names can be`(_ length: Int) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(String(repeating: "a", count: length), [1])
    let (rows, result) = try sign([file, "--out-dir", folder.path("out")])
    #expect(result.exitStatus == 0, "\(rows)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 1)
  }

  @Test func `a file over the limit of its size leaves nothing`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("a", [UInt8](repeating: 0x61, count: 200_000))
    let script = "ulimit -f 100; exec \"$0\" sign --virtual gemalto --format cades \"$1\""
    let result = try BuiltBinary(path: "/bin/bash").run(
      ["-c", script, try BuiltBinary("cie-read").path, file], input: [UInt8](persona.pin.utf8))
    #expect(result.exitStatus == 1, "\(result.errors)")
    #expect(result.errors.contains("File too large"))
    #expect(try folder.fileNames() == ["a"])
  }

  @Test(arguments: ["-1", "77"]) func `a descriptor that is not open`(_ number: String) throws {
    let result = try Program.run(
      ["cert", "--virtual", persona.identifier, "--pin-fd", number], timeLimit: .seconds(60))
    #expect(result.exitStatus == 64)
    #expect(result.errors.contains("[pin-unreadable; exit 64]"))
  }
}
