import CIECard
import Foundation
import TestSupport
import Testing
import TraceScenarios
import Traces

/// `trace diff` names the step in which a trace was changed, for every change of `mutate-trace` to every answer.
@Suite struct DifferenceTests {
  private static let changes: [TraceMutation] =
    [.strip, .duplicate, .cut(length: 2), .cut(length: 20)]
    + [1, 2, -1, -2, -3, -11].map { .flip(byte: $0) }

  @Test(arguments: try ["virtual", "attack", "option"].flatMap { try TraceFile.all(in: $0) })
  func `every mutation is found where it was made`(_ file: TraceFile) throws {
    let good = try Trace(parsing: file.bytes())
    let exchanges = good.exchanges
    #expect(Self.difference(exchanges, exchanges).isEmpty)
    var made = 0
    var before: [Trace.Entry] = []
    for (index, exchange) in exchanges.enumerated() {
      guard let command = exchange.command, let answer = exchange.answer else { continue }
      let pair = [Trace.Entry.command(command), .answer(answer)]
      // The changes take turns; the good traces have all of them.
      let all = good.header.fault == nil && file.folder == "virtual"
      for change in all ? Self.changes : [Self.changes[index % Self.changes.count]] {
        let number = before.isEmpty ? 1 : 2
        guard case .answer(let other) = try? change.apply(to: before + pair, exchange: number).last
        else { continue }
        made += 1
        var changed = exchanges
        changed[index].answer = other
        changed[index].outcome = .answer(
          StatusWord(rawValue: other.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }),
          received: other.count - 2)
        let found = Self.difference(exchanges, changed)
        #expect(found.first?.a?.line == exchange.line, "\(change)@\(index + 1)")
        #expect(found.first?.a?.step == exchange.step)
        #expect(found.differing == 1 && found.parting == nil)
      }
      before = pair
    }
    #expect(made > 0 || exchanges.count < 8)
  }

  @Test func `a conversation that ends early and one with another command part there`() throws {
    let bytes = try TraceFile.all(in: "virtual").first { $0.name == "gemalto-sign" }?.bytes()
    let all = try Trace(parsing: #require(bytes)).exchanges
    let cut = Self.difference(all, Array(all.prefix(7)))
    #expect(cut.parting?.number == 8 && cut.parting?.aspects == [.end] && cut.counts.b == 7)
    var other = all
    other[4].header[1] = 0xCA
    let parted = Self.difference(other, all)
    #expect(parted.first?.number == 5 && parted.parting?.aspects == [.header])
  }

  /// Without bytes, headers, lengths and status words remain.
  @Test func `a log is compared by what it has`() throws {
    let bytes = try TraceFile.all(in: "virtual").first { $0.name == "gemalto-nis" }?.bytes()
    let trace = try Trace(parsing: #require(bytes)).exchanges
    let log = trace.map { exchange in
      var exchange = exchange
      (exchange.command, exchange.answer, exchange.milliseconds) = (nil, nil, 3)
      return exchange
    }
    #expect(Self.difference(trace, log).isEmpty)
    var longer = log
    longer[2].outcome = .answer(.success, received: 1)
    #expect(Self.difference(trace, longer).first?.aspects == [.receivedLength])
  }

  private static func difference(
    _ a: [RecordedExchange], _ b: [RecordedExchange]
  ) -> ConversationDifference {
    var difference = ConversationDifference()
    for index in 0..<max(a.count, b.count) {
      difference.compare(
        index < a.count ? a[index] : nil, index < b.count ? b[index] : nil)
    }
    return difference
  }
}
