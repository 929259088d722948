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
        case ("service-stopped", 1): .serviceStopped
        case ("reader-removed", 1): .readerRemoved
        case ("card-removed", 1): .cardRemoved
        case ("reader-unavailable", 1): .readerUnavailable("")
        case ("card-mute", 1): .cardMute
        case ("transmission-failed", 2):
          UInt32(words[1], radix: 16).map { .transmissionFailed(code: $0) }
        case ("card-reset", 1): .cardReset
        case ("sharing-violation", 1): .sharingViolation
        case ("cancelled", 1): .cancelled
        case ("truncated-response", 2): Int(words[1]).map { .truncatedResponse(length: $0) }
        case ("length-not-carried", 2): Int(words[1]).map { .lengthNotCarried(length: $0) }
        case ("pcsc", 3): UInt32(words[2], radix: 16).map { .other(code: $0, function: words[1]) }
        default: nil
        }
      // One spelling only: a text that would be written differently is refused.
      guard let error, Self.text(of: error) == String(text) else { return nil }
      self.error = error
    }

    /// The text after `! `.
    var text: String { Self.text(of: error) ?? "" }

    private static func text(of error: ChannelError) -> String? {
      switch error {
      case .serviceStopped: "service-stopped"
      case .readerRemoved: "reader-removed"
      case .cardRemoved: "card-removed"
      case .readerUnavailable: "reader-unavailable"
      case .cardMute: "card-mute"
      case .transmissionFailed(let code): "transmission-failed \(hexadecimal(code))"
      case .cardReset: "card-reset"
      case .sharingViolation: "sharing-violation"
      case .cancelled: "cancelled"
      case .truncatedResponse(let length): "truncated-response \(length)"
      case .lengthNotCarried(let length): "length-not-carried \(length)"
      case .other(let code, let function): "pcsc \(function) \(hexadecimal(code))"
      case .serviceMissing, .accessDenied, .noReader, .readerNotFound, .readerAmbiguous, .noCard,
        .replayMismatch, .withheld:
        nil
      }
    }

    private static func hexadecimal(_ code: UInt32) -> String {
      (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }.hexadecimal
    }
  }
}
