import Glibc
import Primitives
import Testing

@testable import RedirectFlow
@testable import Web

/// The delivery of the script to Firefox, and the errors for unexpected answers.
@Suite struct FirefoxScriptTests {
  private static let story = [
    #"{"from":"root","applicationType":"browser"}"#,
    #"{"processDescriptor":{"actor":"conn0.process1","id":0},"from":"root"}"#,
    #"{"type":"frameUpdate","frames":[],"from":"conn0.process1"}"#,
    #"{"process":{"consoleActor":"conn0.console2"},"from":"conn0.process1"}"#,
    #"{"resultID":"1","from":"conn0.console2"}"#,
  ]
  private static let done =
    #"{"type":"evaluationResult","result":{"type":"undefined"},"from":"conn0.console2"}"#

  @Test func `the script is run in the browser's own console`() throws {
    let heard = try run(packets(Self.story + [Self.done]))
    #expect(heard.hasPrefix(#"40:{"to":"root","type":"getProcess","id":0}"#))
    #expect(heard.contains(#"{"to":"conn0.process1","type":"getTarget"}"#))
    #expect(heard.contains(#"{"to":"conn0.console2","type":"evaluateJSAsync","text":""#))
    #expect(heard.contains("registerProtocolHandler") && heard.contains("/tmp/a \\\\\\\"b"))
  }

  @Test(arguments: [
    "", "x", "3:{}", "2:[", "99999999999:", "5", ":", "-1:{}",
  ])
  func `an invalid or unexpected packet ends the login`(_ text: String) {
    #expect { try run(text) } throws: { ($0 as? LoginError)?.cause == .browserFailed }
  }

  @Test func `a script that fails ends the login`() {
    let failure = #"{"type":"evaluationResult","exceptionMessage":"Error: x","hasException":true}"#
    #expect { try run(packets(Self.story + [failure])) } throws: {
      ($0 as? LoginError)?.cause == .browserFailed
    }
  }

  @Test func `it gives up on request`() {
    #expect { try run(packets(Self.story), isOver: true) } throws: {
      ($0 as? LoginError)?.cause == .cancelled
    }
  }

  private func packets(_ texts: [String]) -> String {
    texts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// - Returns: the bytes that a browser with these answers receives.
  private func run(_ text: String, isOver: Bool = false) throws -> String {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let browser = FileDescriptor(ends[1])
    defer { for end in ends { close(end) } }
    try browser.writeAll([UInt8](text.utf8))
    shutdown(ends[1], CInt(SHUT_WR))
    try FirefoxScript(over: FileDescriptor(ends[0]), isOver: { isOver })
      .run(connectingTo: #"/tmp/a "b"#)
    return String(decoding: try browser.read(atMost: 64 << 10), as: UTF8.self)
  }
}
