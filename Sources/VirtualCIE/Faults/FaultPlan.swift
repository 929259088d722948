// Deliberately written apart from CIECard.

/// Which faults a software card shows, and when.
public struct FaultPlan: Sendable, Equatable {
  /// The faults, in any order; several may have the same moment.
  public var entries: [Entry]

  /// A plan made of these faults; empty for a card that behaves.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// A plan of one fault.
  public init(_ fault: Fault, at moment: Moment = .command(1)) {
    self.init([Entry(fault: fault, moment: moment)])
  }

  /// A fault and its moment.
  public struct Entry: Sendable, Equatable {
    /// What goes wrong.
    public let fault: Fault
    /// When it happens or, for a lasting fault, begins.
    public let moment: Moment

    /// A planned fault.
    public init(fault: Fault, moment: Moment) {
      self.fault = fault
      self.moment = moment
    }
  }

  /// A command, counted since the card was made; GET RESPONSE and pieces of a chain count too.
  public enum Moment: Sendable, Equatable {
    /// The n-th APDU on the wire, from 1.
    case command(Int)
    /// The n-th APDU with this instruction byte, from 1.
    case instruction(UInt8, occurrence: Int)
  }
}
