import Messages
import Testing

@testable import CardWork

/// Cards that fell silent.
@Suite struct SilenceTests {
  /// Another reader's card may be held by another program at the same time.
  @Test func `silence is that of one reader, until its next card answers`() {
    let first = RunContext(.english, Interruption(takesSignals: false))
    first.remember("A", isSilent: true)
    let context = first.ofAnotherRun(.english)
    #expect(context.hasSilentCard(in: "A") && !context.hasSilentCard(in: "B"))
    context.remember("B", isSilent: false)
    #expect(context.hasSilentCard(in: "A") && !context.hasSilentCard(in: "B"))
    context.remember("A", isSilent: false)
    #expect(!first.hasSilentCard(in: "A"))
  }
}
