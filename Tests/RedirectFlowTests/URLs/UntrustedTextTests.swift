import RedirectFlow
import Testing

@Suite struct UntrustedTextTests {
  private func display(_ encoded: String) throws -> String? {
    guard case .card(let card) = try HandOff(Links.card("OpText", encoded), in: .production)
    else { return nil }
    return card.operationText?.display
  }

  @Test func showsNothingThatMovesTheCursorOrHides() throws {
    #expect(try display("Comune%20di%20Citt%C3%A0") == "Comune di Città")
    #expect(try display("a%1B%5B2J%0D%0Ab%00%C2%9B") == "a�[2J��b��")
    #expect(try display("a%E2%80%AEb%E2%80%8B%E2%80%A8") == "a�b��")
    #expect(
      try display(String(repeating: "a", count: 201)) == String(repeating: "a", count: 200) + "…")
  }
}
