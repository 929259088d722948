public import CIECard

/// A conversation with a card, as text that can be read, reviewed and replayed.
///
/// A trace holds every byte each way and the terminal's random draws, hence the session keys: it
/// comes only from the software card or from a specification's worked example, never from a
/// person's card. The text form is strict and canonical: parsing a text and writing it again gives
/// the same text (`CardTraces/README.md`).
public struct Trace: Sendable, Equatable {
  /// The scenario and its expected outcome.
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
    /// The response APDU to the preceding command, at least two bytes.
    case answer([UInt8])
    /// An event in place of an answer to the preceding command.
    case event(Event)
    case powerCycle
  }

  /// The setting, the journey and its expected outcome.
  public struct Header: Sendable, Equatable {
    /// One line that describes the scenario.
    public var title: String
    /// Origin of the card's bytes.
    public var source: Source
    /// Tool and version, or document and clause, from which the bytes come.
    public var provenance: String
    /// The fault that the card was asked for, or the change made to a good trace; `nil` in a good
    /// one.
    public var fault: String?
    /// Answer to reset and extended length, as the channel reported them.
    public var traits: ChannelTraits
    /// Time at which certificates are judged, in seconds since 1970-01-01 UTC; `nil` if none of
    /// them is judged.
    public var time: UTCTime?
    /// The terminal's random draws, in the order of the requests.
    public var random: [[UInt8]]
    /// The terminal's actions.
    public var journey: Journey
    /// The expected outcome.
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

  /// Origin of the card's bytes.
  public enum Source: Sendable, Equatable {
    /// The software card as this persona: an invented citizen.
    case virtual(persona: String)
    /// A worked example of a specification.
    case specification
  }
}
