import Foundation
import TestSupport
import Testing

/// The fuzzers' corpora and seeds, played again in an ordinary build.
@Suite(.serialized) struct CorpusTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `every input of a target keeps its rules`(_ name: String) async throws {
    let target = try #require(FuzzTarget.named(name))
    let path = Repository.path("Tests/Fuzzer/Corpora/\(name).txt")
    let kept = try String(decoding: Repository.read(path), as: UTF8.self)
      .split(separator: "\n").map { try Hex.bytes(String($0)) }
    let inputs = try target.seeds() + kept
    #expect(!inputs.isEmpty)
    // Not on the pool's threads, because some targets wait for work there.
    let (broken, accepted) = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.play(inputs, target)) }
    }
    #expect(broken.isEmpty)
    #expect(accepted > 0, "no input is accepted")
  }

  private static func play(
    _ inputs: [[UInt8]], _ target: FuzzTarget
  ) -> (broken: [String], accepted: Int) {
    var broken: [String] = []
    var accepted = 0
    for input in inputs {
      let probe = Probe(bytes: input) { rule in
        broken.append(rule + ": " + Hex.text(input.prefix(64)))
      }
      if (try? target.play(probe)) != nil { accepted += 1 }
    }
    return (broken, accepted)
  }

  @Test func `the corpora are those of the targets, and small`() throws {
    let files = try Repository.files(in: "Tests/Fuzzer/Corpora", ending: ".txt")
    let names = files.map { $0.deletingPathExtension().lastPathComponent }
    #expect(Set(names) == Set(FuzzTarget.all.map(\.name)))
    let size = try files.reduce(0) { try $0 + Repository.read($1.path).count }
    #expect(size < 1 << 20)
  }
}
