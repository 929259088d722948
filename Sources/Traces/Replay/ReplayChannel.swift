public import CIECard
internal import Primitives

/// A card that repeats its recorded answers to exactly the same commands in the same order.
///
/// The first deviating command ends the replay for good: a client that retries gets the same error.
public struct ReplayChannel: CardChannel, ~Copyable {
  private let recorded: ChannelTraits
  private let progress: ReplayProgress
  private var rest: ArraySlice<RecordedExchange>
  private let endLine: Int
  private var broken: ChannelError?

  /// The traits in the trace.
  public var traits: ChannelTraits { recorded }

  /// A channel at the beginning of a trace.
  ///
  /// - Parameters:
  ///   - trace: the conversation.
  ///   - progress: records the progress of the replay; its `finish` checks that the whole trace was
  ///     used.
  public init(_ trace: Trace, progress: ReplayProgress = ReplayProgress()) {
    recorded = trace.header.traits
    rest = trace.exchanges[...]
    endLine = trace.firstEntryLine + trace.entries.count
    self.progress = progress
    progress.set(Self.leftover(rest))
  }

  /// Answers as recorded.
  ///
  /// - Throws: the recorded event, or `ChannelError.replayMismatch` if the command is not the next
  ///   one.
  public mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    if let broken { throw broken }
    guard let next = rest.first else {
      throw fail(endLine, "the trace ends before \(Self.describe(command))")
    }
    guard next.command == command else {
      throw fail(next.line, Self.difference(expected: next.command, got: command))
    }
    rest = rest.dropFirst()
    progress.set(Self.leftover(rest))
    guard let answer = next.answer else {
      throw next.error ?? fail(next.line, "the trace has no answer")
    }
    return answer
  }

  /// Continues after a power cycle in the trace; returns false elsewhere.
  public mutating func powerCycle() throws(ChannelError) -> Bool {
    if let broken { throw broken }
    guard let next = rest.first, next.command == nil else { return false }
    rest = rest.dropFirst()
    progress.set(Self.leftover(rest))
    return true
  }

  /// Throws unless the whole trace was used.
  public func finish() throws(ChannelError) { try progress.finish() }

  private mutating func fail(_ line: Int, _ detail: String) -> ChannelError {
    let error = ChannelError.replayMismatch(line: line, detail: detail)
    broken = error
    progress.set(error)
    return error
  }

  private static func leftover(_ rest: ArraySlice<RecordedExchange>) -> ChannelError? {
    rest.first.map {
      .replayMismatch(line: $0.line, detail: "not reached: \(describe($0.command ?? []))")
    }
  }

  /// Describes the difference between two commands without showing more than their headers.
  private static func difference(expected: [UInt8]?, got: [UInt8]) -> String {
    guard let expected else { return "expected a power cycle, got \(describe(got))" }
    guard expected.prefix(4) == got.prefix(4), expected.count == got.count else {
      return "expected \(describe(expected)), got \(describe(got))"
    }
    let byte = zip(expected, got).enumerated().first { $1.0 != $1.1 }?.offset ?? expected.count
    return "\(describe(expected)): byte \(byte + 1) differs"
  }

  private static func describe(_ command: [UInt8]) -> String {
    "\([UInt8](command.prefix(4)).hexadecimal) (\(command.count) bytes)"
  }
}
