internal import CIECard

/// The differences between two conversations, compared exchange by exchange; of bounded size.
///
/// Bytes are compared where both sides have them, else headers, lengths, status words and events. Times are not compared.
package struct ConversationDifference: Sendable {
  /// Pairs compared so far, and exchanges of each side.
  package private(set) var counts = (a: 0, b: 0)
  /// The first pairs that differ.
  package private(set) var points: [Point] = []
  /// The number of pairs that differ, until the ways part.
  package private(set) var differing = 0
  /// The first pair whose commands have other headers, or of which one side has none; nil if there is no such pair.
  package private(set) var parting: Point?

  package var isEmpty: Bool { differing == 0 && parting == nil }
  package var first: Point? { points.first ?? parting }

  package struct Point: Sendable, Equatable {
    /// The number of the exchange, from 1.
    package let number: Int
    /// nil if the side ended before it.
    package let a: RecordedExchange?
    package let b: RecordedExchange?
    package let aspects: [Aspect]
  }

  /// A part of an exchange.
  package enum Aspect: Sendable, Equatable {
    /// One side has no more exchanges.
    case end
    case header
    case sentLength
    /// The bytes of the command, first at this one, from 1.
    case command(byte: Int)
    /// An answer on one side and an event on the other, or different events.
    case outcome
    case status
    case receivedLength
    /// The bytes of the answer, first at this one, from 1.
    case answer(byte: Int)
  }

  /// Most pairs that are kept.
  private static let mostPoints = 20

  package init() {}

  /// Compares the next pair; nil for a side that has ended.
  package mutating func compare(_ a: RecordedExchange?, _ b: RecordedExchange?) {
    if a != nil { counts.a += 1 }
    if b != nil { counts.b += 1 }
    // Behind the parting the pairs do not belong together.
    guard parting == nil else { return }
    let aspects = Self.aspects(a, b)
    guard let aspect = aspects.first else { return }
    let point = Point(number: max(counts.a, counts.b), a: a, b: b, aspects: aspects)
    switch aspect {
    case .end, .header: parting = point
    case .sentLength, .command, .outcome, .status, .receivedLength, .answer:
      differing += 1
      if points.count < Self.mostPoints { points.append(point) }
    }
  }

  private static func aspects(_ a: RecordedExchange?, _ b: RecordedExchange?) -> [Aspect] {
    guard let a, let b else { return a == nil && b == nil ? [] : [.end] }
    guard a.header == b.header else { return [.header] }
    var aspects: [Aspect] = []
    if a.sent != b.sent { aspects.append(.sentLength) }
    if let byte = difference(a.command, b.command) { aspects.append(.command(byte: byte)) }
    switch (a.reply, b.reply) {
    case (let left?, let right?):
      if left.status != right.status { aspects.append(.status) }
      if left.received != right.received { aspects.append(.receivedLength) }
      if let byte = difference(a.answer, b.answer) { aspects.append(.answer(byte: byte)) }
    case (nil, nil), (nil, _), (_, nil):
      if a.outcome != b.outcome { aspects.append(.outcome) }
    }
    return aspects
  }

  /// The first byte that differs, from 1; nil unless both sides have bytes.
  private static func difference(_ a: [UInt8]?, _ b: [UInt8]?) -> Int? {
    guard let a, let b, a != b else { return nil }
    return 1 + (zip(a, b).enumerated().first { $0.1.0 != $0.1.1 }?.offset ?? min(a.count, b.count))
  }
}
