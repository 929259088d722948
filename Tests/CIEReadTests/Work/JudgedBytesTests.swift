import DocumentSigning
import Foundation
import Glibc
import Messages
import Primitives
import TestSupport
import Testing
import VirtualCIE

@testable import CIECard
@testable import CardWork
@testable import cie_read

/// Between judgement and use a file may become another one, and a clock may be wrong.
@Suite struct JudgedBytesTests {
  private static func context(at time: UTCTime = .now) -> RunContext {
    var context = RunContext(.english, Interruption(takesSignals: false)) { time }
    context.isQuiet = true
    return context
  }

  private func file(_ name: String) throws -> [UInt8] {
    try Repository.read("Tests/CIEReadTests/SignedFiles/\(name)")
  }

  private func extract(
    _ name: String, then change: (String) throws -> Void
  ) throws -> Result<[UInt8], Failure> {
    let folder = try TemporaryDirectory()
    let path = try folder.write(name, file(name))
    let signed = SignedFile(path, content: nil, DocumentJudge(trust: nil))
    let report = try signed.result.get()
    try change(path)
    return Result { () throws(Failure) in
      let output = try OutputFile(folder.path("out"))
      if report.form == .pdf {
        try signed.extractSigned(report, to: output)
      } else {
        try signed.extractContents(report, to: output)
      }
    }.map { (try? folder.read("out")) ?? [] }
  }

  @Test(arguments: ["letter.txt.p7m", "signed.pdf", "nested.p7m.p7m", "signed-twice.pdf"])
  func `a file that is exchanged is not written out`(_ name: String) throws {
    let wanted = try extract(name) { _ in }.get()
    #expect(!wanted.isEmpty)
    // Another file of the same name: the judged one is still open.
    let renamed = try extract(name) { path in
      try Data("another file".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    #expect(try renamed.get() == wanted)
    // The same file with other contents of the same length.
    let changed = try extract(name) { path in
      let place = try #require(try self.place(in: self.file(name)))
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try handle.seek(toOffset: UInt64(place))
      try handle.write(contentsOf: Data([0x2B]))
      try handle.close()
    }
    guard case .failure(let failure) = changed else {
      Issue.record("\(name) is written out")
      return
    }
    #expect(Diagnosis(failure).name == "document-changed", "\(failure)")
    // The same file, shorter.
    let cut = try extract(name) { path in #expect(truncate(path, 100) == 0) }
    #expect(throws: Failure.self) { try cut.get() }
  }

  /// A byte of the contents.
  private func place(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: "Contratto".utf8) }
      ?? bytes.indices.first { bytes[$0...].starts(with: "/MediaBox".utf8) }.map { $0 + 4 }
      ?? bytes.indices.first { bytes[$0...].starts(with: "ufficio".utf8) } ?? bytes.count / 3
  }

  /// Refused before the PIN is asked for.
  @Test(arguments: [0, 86_400 * 365]) func `no document is signed in 1970`(_ seconds: Int64) throws
  {
    let folder = try TemporaryDirectory()
    let path = try folder.write("a.txt", [1])
    let pin = HeldCode(try AwaitedCode(.pin, Secret([UInt8](Persona.gemalto.pin.utf8))))
    let job = DocumentSigningJob(
      orders: [SigningOrder(path, .cades(isDetached: false))], pin: pin,
      access: HolderAccess(allowsLastTry: false, vouching: .skipped))
    let card = Conversation(
      source: .substitute(SoftwareCard(persona: .gemalto, faults: FaultPlan())))
    let failure = #expect(throws: Failure.self) {
      try job.run(on: card, in: Self.context(at: UTCTime(seconds: seconds)))
    }
    #expect(failure.map { Diagnosis($0).name } == "clock-early")
    #expect(try folder.fileNames() == ["a.txt"])
    #expect(PresentTime.clock(.now).problem() == nil)
  }
}
