import TestSupport
import Testing

/// The peers without a reader: `Tests/Peers/test_peers.py` and `test_ias_card.py`.
@Suite(.timeLimit(.minutes(20))) struct PeerSelfTests {
  @Test func `the peers agree, and refuse invalid input`() throws {
    let result = try BuiltBinary(path: "/usr/bin/python3").run([
      "-m", "unittest", "discover", "--start-directory", Repository.path("Tests/Peers"),
    ])
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(result.errors.contains("Ran 21 tests"))
  }
}
