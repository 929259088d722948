import Foundation
import Messages
import Primitives
import TestSupport
import Testing
import VirtualCIE
import Traces

@testable import CardWork
@testable import cie_read

/// `trace show` of every trace, by size and hash of its text and its page.
///
/// `tools/make pins` accepts others; read some of what changed by eye.
@Suite struct ShownTracesTests {
  @Test func `every trace is shown as pinned`() throws {
    let folder = try TemporaryDirectory()
    let traces = try ["virtual", "attack", "option", "spec"].flatMap { try TraceFile.all(in: $0) }
    #expect(traces.count > 500)
    var text = ""
    for trace in traces.sorted(by: { $0.path < $1.path }) {
      let file = try folder.write("shown.trace", try trace.bytes())
      let shown = try ShownConversation(file, in: TraceSession.quiet)
      let lines = [UInt8](shown.lines(.english).joined(separator: "\n").utf8)
      let page = [UInt8](shown.page(.english).utf8)
      let pins = try [lines, page].map {
        "\($0.count) \(try HashAlgorithm.sha256.hash($0).prefix(8).map { $0 }.hexadecimal)"
      }
      text += "\(trace.path) \(pins.joined(separator: " "))\n"
    }
    let changes = try Pin.changes(of: "Tests/CIEReadTests/Traces/shown.txt", to: text)
    #expect(changes == [])
  }

  /// EF.ATR/INFO of IAS ECC, EF.CardSecurity and EF.SOD share the short identifier 1D; a log has no names of applications.
  @Test(arguments: [
    (Persona.gemalto2, ["nis"], "EF.ATR/INFO 2F01"), (.st, ["nis"], "EF.SOD 1006"),
    (.itj4, ["read", "--can", Persona.itj4.can], "EF.SOD 011D"),
    (.gemalto, ["read", "--can", Persona.gemalto.can], "EF.SOD 011D"),
  ])
  func `files with one short identifier are told apart`(
    _ persona: Persona, _ command: [String], _ file: String
  ) throws {
    let folder = try TemporaryDirectory()
    let log = folder.path("log")
    let card = ["--virtual", persona.identifier, "--record", log]
    _ = try Program.run(command + card)
    let shown = try Program.run(["trace", "show", log])
    #expect(shown.exitStatus == 0 && shown.output.contains(file))
    #expect(!shown.output.contains("EF.CardSecurity"))
  }

  @Test func `secure messaging is opened, and a code is not shown`() throws {
    let path = Repository.path("CardTraces/virtual/gemalto-sign.trace")
    let shown = try ShownConversation(path, in: TraceSession.quiet)
    let verify = try #require(shown.exchanges.first { $0.command == "VERIFY" })
    #expect(verify.sent.isCode && verify.sent.data == nil && verify.sent.isOpened)
    #expect(verify.sent.tags == ["87", "8E"])
    let answers = shown.exchanges.filter { $0.exchange.isProtected && $0.exchange.reply != nil }
    #expect(answers.count > 20 && answers.allSatisfy { $0.sent.isOpened })
    let certificate = try #require(shown.exchanges.first { $0.file == "EF.Cert_CIE 1003" })
    #expect(certificate.command == "SELECT" && certificate.sent.data == [0x10, 0x03])
    #expect(!shown.lines(.english).joined().contains("27182818"))
    #expect(!shown.page(.english).contains("<script") && !shown.page(.english).contains("http://"))
  }
}

/// A run without streams.
enum TraceSession {
  static var quiet: RunContext {
    var context = RunContext(.english, Interruption(takesSignals: false))
    context.isQuiet = true
    return context
  }
}
