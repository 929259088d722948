import CardWork
import Messages
import Primitives
import TestSupport
import Testing

@testable import cie_read

/// The PIN that a request asks a page for.
@Suite struct PageCodeTests {
  private let context = RunContext(.english, Interruption(takesSignals: false))

  private static func held(_ digits: String) throws -> HeldCode {
    HeldCode(try AwaitedCode(.pin, Secret([UInt8](digits.utf8))))
  }

  @Test func `the page sees the purpose, and its answer is taken once`() throws {
    context.purpose.add("https://idp.example")
    let code = PageCode()
    #expect(!code.give(try Self.held("27182818")), "no request waits")
    var shown: [String] = []
    var given: [Bool] = []
    let answers = [try Self.held("27182818"), try Self.held("31415926")]
    let pin = try code.ask(in: context) { purpose in
      shown = purpose
      given = answers.map(code.give)
      let lines = EventLines { collect([UInt8]($0.text.utf8)) }
      #expect(lines.write(.pin, PageCode.members(purpose)).text.contains("https://idp.example"))
    }
    #expect(shown == ["https://idp.example"])
    #expect(given == [true, false])
    #expect(pin.withBytes { Array($0) } == [UInt8]("27182818".utf8))
    #expect(!code.give(try Self.held("27182818")), "the request has its answer")
  }
}
