import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `cie-read trace` from the command line.
@Suite final class TraceCommandTests {
  private let folder: TemporaryDirectory
  private let log: String
  private let sign = Repository.path("CardTraces/virtual/gemalto-sign.trace")
  private let nis = Repository.path("CardTraces/virtual/gemalto-nis.trace")

  init() throws {
    folder = try TemporaryDirectory()
    log = folder.path("nis.log")
    #expect(try Program.run(["nis", "--virtual", "--record", log]).exitStatus == 0)
  }

  @Test func `each command has an object`() throws {
    let (shown, _) = try Program.json(["trace", "show", sign])
    #expect((shown["exchanges"] as? [[String: Any]])?.count ?? 0 > 40)
    let (ofLog, _) = try Program.json(["trace", "show", log])
    let first = try #require((ofLog["exchanges"] as? [[String: Any]])?.first)
    #expect(first["step"] as? String == "select-cie" || first["step"] as? String == "select-root")
    #expect(first["milliseconds"] is Int && first["commandData"] is NSNull)
    let (checked, result) = try Program.json(["trace", "check", sign, log])
    #expect(result.exitStatus == 0)
    let files = try #require(checked["files"] as? [[String: Any]])
    #expect(files.map { $0["findings"] as? [String] } == [["good"], ["log"]])
    let (counted, _) = try Program.json(["trace", "stats", sign, log])
    #expect((counted["files"] as? [Any])?.count == 2)
    let (difference, other) = try Program.json(["trace", "diff", sign, nis])
    #expect(other.exitStatus == 10 && difference["same"] as? Bool == false)
  }

  @Test func `a log equals the trace of the same command`() throws {
    let result = try Program.run(["trace", "diff", log, nis])
    #expect(result.exitStatus == 0, "\(result.output)")
    #expect(result.output.contains("Headers, lengths and status words are equal."))
  }

  @Test func `drawings are one file each`() throws {
    let page = try Program.run(["trace", "show", sign, "--html"]).output
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    let drawing = try Program.run(["trace", "stats", log, "--svg"]).output
    #expect(drawing.hasPrefix("<svg ") && drawing.hasSuffix("</svg>\n"))
    for words in [["show", sign, "--html", "--json"], ["stats", sign, log, "--svg"], ["stats"]] {
      #expect(try Program.run(["trace"] + words).exitStatus == 64)
    }
  }

  /// A file of another kind, and one that was damaged, is named for what it is, with the line.
  @Test(arguments: ["show", "check", "diff", "stats"])
  func `a file that cannot be used is told why`(_ command: String) throws {
    let good = try String(contentsOf: URL(fileURLWithPath: log), encoding: .utf8)
    let lines = good.split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.count - 1
    var reordered = lines
    reordered.swapAt(5, 6)
    let trace = try String(contentsOf: URL(fileURLWithPath: nis), encoding: .utf8)
    for (name, text, error) in [
      ("cut", String(good.dropLast(5)), "line \(last): text"),
      (
        "open", lines.prefix(last - 1).joined(separator: "\n") + "\n",
        "line \(last - 1): conversation"
      ),
      ("reordered", reordered.joined(separator: "\n"), "line 6: conversation"),
      ("newer", "diagnostic: x\nversion: 2\n\n", "line 2: key version"),
      ("empty", "diagnostic: x\n\n", "line 3: conversation"),
      ("binary", "\u{0}\u{1}\u{2}", "neither a trace nor a log"),
      ("nothing", "", "neither a trace nor a log"),
      ("long", "diagnostic: " + String(repeating: "x", count: 70_000), "line 1: text"),
      ("report", "cie-read report 1\n", "a report of doctor"),
      ("trace-cut", String(trace.dropLast(4)), ": text, spaces or line end"),
      ("trace-newer", "title: x\nformat: 2\n\n", "line 2: key format"),
    ] {
      let path = folder.path(name)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let files = command == "diff" ? [nis, path] : [path]
      let result = try Program.run(["trace", command] + files)
      #expect(result.exitStatus == (command == "check" ? 10 : 64), "\(name)")
      #expect((result.output + result.errors).contains(error), "\(name): \(result.errors)")
      #expect(result.errors.contains("trace") || result.errors.contains("log"))
    }
  }

  /// A sparse file of a gigabyte is no text, and is not read to its end; a long log is counted in a bounded memory.
  @Test func `a file of a gigabyte takes no gigabyte`() throws {
    let huge = folder.path("huge")
    let made = FileManager.default.createFile(atPath: huge, contents: Data("title: x\n".utf8))
    #expect(made)
    let handle = try #require(FileHandle(forWritingAtPath: huge))
    try handle.truncate(atOffset: 1 << 30)
    let result = try Program.run(["trace", "show", huge])
    #expect(result.exitStatus == 64 && result.errors.contains("line 2: text"))
    let part = "> 00B08100 +1\n< 9000 +12 31 ms\n"
    let long = folder.path("long.log")
    let text = "diagnostic: x\natr: 3B\nextended: none\n\n" + String(repeating: part, count: 30_000)
    try Data(text.utf8).write(to: URL(fileURLWithPath: long))
    let (counted, _) = try Program.json(["trace", "stats", long])
    let total = try #require((counted["files"] as? [[String: Any]])?.first?["total"])
    #expect((total as? [String: Any])?["commands"] as? Int == 30_000)
    #expect(try Program.run(["trace", "show", long]).errors.contains("stats or diff"))
    #expect(try Program.run(["trace", "diff", long, long]).exitStatus == 0)
  }

  /// A shown log has no six bytes of a code, name or number of the card's person, in any spelling.
  @Test(arguments: Persona.everyone.map(\.identifier))
  func `nothing secret is shown of a log`(_ name: String) throws {
    let persona = try #require(Persona.named(name))
    let words = [
      persona.pin, persona.puk, persona.can, persona.nis, persona.documentNumber,
      persona.fiscalCode, persona.surname, persona.givenName,
    ].map { [UInt8]($0.utf8) }
    // Their words, such as CIE, occur anywhere; their bytes must not.
    let certificates = [persona.certificate, persona.csca].map { Array($0.prefix(600)) }
    let log = folder.path("secret.log")
    for (command, input) in [
      (["cert", "--skip-genuine-check"], persona.pin),
      (["pin", "change", "--skip-genuine-check"], "\(persona.pin)\n86420864"),
      (["pin", "unblock", "--skip-genuine-check"], "\(persona.puk)\n86420864"),
      (["read", "--can", persona.can], ""),
    ] {
      _ = try Program.run(
        command + ["--virtual", name, "--record", log, "--force"], input: input)
      for form in [[], ["--html"], ["--json"]] {
        let result = try Program.run(["trace", "show", log] + form)
        #expect(result.exitStatus == 0, "\(command): \(result.errors)")
        #expect(Self.leaks(words, of: result.output, asText: true).isEmpty, "\(command)")
        #expect(Self.leaks(certificates, of: result.output, asText: false).isEmpty, "\(command)")
      }
    }
    // The search can find one.
    #expect(!Self.leaks(words, of: "x\(persona.pin.dropFirst(2))", asText: true).isEmpty)
    #expect(!Self.leaks(words, of: [UInt8](persona.nis.utf8).hexadecimal, asText: true).isEmpty)
  }

  /// The runs of six bytes that a text has: raw, which is also the BCD form of digits, hexadecimal or base64.
  private static func leaks(
    _ secrets: [[UInt8]], of output: String, asText: Bool
  ) -> [[UInt8]] {
    let text = output.uppercased()
    return secrets.flatMap { secret -> [[UInt8]] in
      (0...max(0, secret.count - 6)).map { Array(secret[$0...].prefix(6)) }.filter { run in
        let raw = String(decoding: run, as: UTF8.self).uppercased()
        return asText && text.contains(raw) || text.contains(run.hexadecimal)
          || output.contains(Data(run).base64EncodedString())
      }
    }
  }
}

extension [UInt8] {
  fileprivate var hexadecimal: String { map { String(format: "%02X", $0) }.joined() }
}
