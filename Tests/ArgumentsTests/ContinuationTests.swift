import Testing

@testable import Arguments

/// Completions.
@Suite struct ContinuationTests {
  @Test(arguments: [
    ("_", ["cook", "store"]), ("c", ["cook"]), ("store _", ["freeze"]), ("store freeze _", []),
    ("cook --v", ["--verbose", "--version"]), ("cook --verbose --v", ["--version"]),
    ("cook --no", ["--no-lid"]), ("cook --with salt --wi", ["--with"]),
    ("cook --with _", ["salt", "pepper"]), ("cook --with=p", ["pepper"]),
    ("cook --stove _", ["low", "high"]), ("--stove h", ["high"]),
    ("--stove _", ["low", "high", "cook", "store"]), ("wash _", []), ("cook --sall _", []),
  ])
  func `words fit what stands before them`(_ line: String, _ offers: [String]) {
    guard case .words(let words) = Continuation(of: line.words, to: Kitchen.self) else {
      Issue.record("no words")
      return
    }
    #expect(words.map(\.word) == offers)
  }

  @Test func `files are left to the shell`() {
    for line in ["cook --recipe _", "cook --recipe=x"] {
      guard case .file("txt") = Continuation(of: line.words, to: Kitchen.self) else {
        Issue.record("no file")
        return
      }
    }
  }
}
