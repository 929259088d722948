public import CIECard
internal import Primitives

extension Trace {
  /// A channel error in place of an answer; only errors that can occur during a conversation.
  public struct Event: Sendable, Equatable {
    /// The error that the channel throws.
    public let error: ChannelError

    /// An event for an error; `nil` if the error cannot occur during a conversation.
    public init?(_ error: ChannelError) {
      guard Self.text(of: error) != nil else { return nil }
      self.error = error
    }

    /// The event of a line `! text`.
    init?(text: Substring) {
      let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let error: ChannelError? =
        switch (words.first, words.count) {
        case (let word, 1): Self.withoutValue.first { $0.word == word }
        case ("transmission-failed", 2):
          UInt32(words[1], radix: 16).map { .transmissionFailed(code: $0) }
        case ("truncated-response", 2): Int(words[1]).map { .truncatedResponse(length: $0) }
        case ("length-not-carried", 2): Int(words[1]).map { .lengthNotCarried(length: $0) }
        case ("pcsc", 3): UInt32(words[2], radix: 16).map { .other(code: $0, function: words[1]) }
        default: nil
        }
      // One spelling only: a text that would be written differently is refused.
      guard let error, Self.text(of: error) == String(text) else { return nil }
      self.error = error
    }

    private static let withoutValue: [ChannelError] = [
      .serviceStopped, .readerRemoved, .cardRemoved, .readerUnavailable(""), .cardMute, .cardReset,
      .sharingViolation, .cancelled,
    ]

    /// The text after `! `.
    var text: String { Self.text(of: error) ?? "" }

    private static func text(of error: ChannelError) -> String? {
      switch error {
      case .serviceStopped, .readerRemoved, .cardRemoved, .readerUnavailable, .cardMute, .cardReset,
        .sharingViolation, .cancelled:
        error.word
      case .transmissionFailed(let code): "\(error.word) \(hexadecimal(code))"
      case .truncatedResponse(let length), .lengthNotCarried(let length): "\(error.word) \(length)"
      case .other(let code, let function): "pcsc \(function) \(hexadecimal(code))"
      case .serviceMissing, .serviceUnresponsive, .serviceOfOtherVersion, .accessDenied, .noReader,
        .readerNotFound, .readerAmbiguous, .noCard,
        .replayMismatch, .withheld:
        nil
      }
    }

    private static func hexadecimal(_ code: UInt32) -> String {
      (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }.hexadecimal
    }
  }
}
