public import CIECard

/// One conversation with a card, as text that can be read, reviewed and replayed.
///
/// A trace holds every byte each way and the terminal's random draws, hence the session keys: it comes only from
/// the software card or from a specification's worked example, never from a person's card. The text form is
/// strict and canonical: parsing a text and writing it again gives the same text (`CardTraces/README.md`).
public struct Trace: Sendable, Equatable {
  /// What the conversation is and how it must end.
  public let header: Header
  /// The conversation, in order.
  public let entries: [Entry]

  package init(header: Header, entries: [Entry]) {
    self.header = header
    self.entries = entries
  }

  /// One line of the conversation.
  public enum Entry: Sendable, Equatable {
    /// A remark for the reader.
    case comment(String)
    /// A command APDU as sent, at least four bytes.
    case command([UInt8])
    /// The response APDU to the command before it, at least two bytes.
    case answer([UInt8])
    /// What happened instead of an answer to the command before it.
    case event(Event)
    /// The power was taken off the card for a moment.
    case powerCycle
  }

  /// What is known before the first command, what is done, and how it must end.
  public struct Header: Sendable, Equatable {
    /// One line that says what the scenario is.
    public var title: String
    /// Who was the card.
    public var source: Source
    /// Where the bytes come from: tool and version, or document and clause.
    public var provenance: String
    /// The fault that was asked of the card, or the change made to a good trace; `nil` in a good one.
    public var fault: String?
    /// Answer to reset and extended length, as the channel gave them.
    public var traits: ChannelTraits
    /// When certificates are judged, in seconds since 1970-01-01 UTC; `nil` when none is judged.
    public var time: UTCTime?
    /// The terminal's random draws, in the order in which they were asked for.
    public var random: [[UInt8]]
    /// What the terminal does.
    public var journey: Journey
    /// How it must end.
    public var expectation: Expectation

    package init(
      title: String, source: Source, provenance: String, fault: String? = nil,
      traits: ChannelTraits, time: UTCTime? = nil, random: [[UInt8]] = [], journey: Journey,
      expectation: Expectation
    ) {
      self.title = title
      self.source = source
      self.provenance = provenance
      self.fault = fault
      self.traits = traits
      self.time = time
      self.random = random
      self.journey = journey
      self.expectation = expectation
    }
  }

  /// Who was the card.
  public enum Source: Sendable, Equatable {
    /// The software card as this persona: an invented citizen.
    case virtual(persona: String)
    /// A worked example of a specification.
    case specification
  }
}
