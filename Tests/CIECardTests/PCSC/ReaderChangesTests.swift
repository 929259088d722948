import Testing

@testable import CIECard

/// The changes between two looks at the readers.
@Suite struct ReaderChangesTests {
  private typealias Reader = PCSCContext.Reader

  private func reader(_ name: String = "R", card atr: [UInt8]? = nil, events: UInt16) -> Reader {
    Reader(name: name, answerToReset: atr, isAvailable: true, eventCount: events)
  }

  private let card: [UInt8] = [0x3B, 0x00]

  @Test func `readers and cards of the first look are reported as added and present`() {
    let now = [reader("A", events: 0), reader("B", card: card, events: 1)]
    #expect(
      [Reader]().changes(to: now) == [
        .readerAdded("A"), .readerAdded("B"), .cardPresent("B", answerToReset: card),
      ])
  }

  @Test func `an unchanged state is not reported`() {
    let list = [reader("A", events: 4), reader("B", card: card, events: 7)]
    #expect(list.changes(to: list) == [])
  }

  @Test func `a card comes, and goes`() {
    let empty = [reader(events: 2)]
    let full = [reader(card: card, events: 3)]
    #expect(empty.changes(to: full) == [.cardPresent("R", answerToReset: card)])
    #expect(full.changes(to: [reader(events: 4)]) == [.cardRemoved("R")])
  }

  @Test func `a card exchanged between two looks is reported as removed and present`() {
    let other: [UInt8] = [0x3B, 0x01]
    #expect(
      [reader(card: card, events: 3)].changes(to: [reader(card: other, events: 5)]) == [
        .cardRemoved("R"), .cardPresent("R", answerToReset: other),
      ])
  }

  @Test func `a card that came and went between two looks is reported without its ATR`() {
    #expect(
      [reader(events: 2)].changes(to: [reader(events: 4)]) == [
        .cardPresent("R", answerToReset: nil), .cardRemoved("R"),
      ])
  }

  @Test func `every exchange is reported, however many there were`() {
    let changes = [reader(events: 65_534)].changes(to: [reader(card: card, events: 3)])
    #expect(
      changes == [
        .cardPresent("R", answerToReset: nil), .cardRemoved("R"),
        .cardPresent("R", answerToReset: nil), .cardRemoved("R"),
        .cardPresent("R", answerToReset: card),
      ])
  }

  @Test func `a service without event counts still reports a card's presence`() {
    #expect(
      [reader(events: 0)].changes(to: [reader(card: card, events: 0)]) == [
        .cardPresent("R", answerToReset: card)
      ])
  }

  @Test func `a reader that is taken away takes its card along`() {
    let list = [reader("A", card: card, events: 1), reader("B", events: 0)]
    #expect(
      list.changes(to: []) == [
        .cardRemoved("A"), .readerRemoved("A"), .readerRemoved("B"),
      ])
    #expect(list.ends == list.changes(to: []))
  }

  @Test func `a reconnected reader is a new one`() {
    let changes = [reader(card: card, events: 9)].changes(to: [reader(card: card, events: 1)])
    #expect(
      changes == [
        .cardRemoved("R"), .readerRemoved("R"), .readerAdded("R"),
        .cardPresent("R", answerToReset: card),
      ])
  }
}
