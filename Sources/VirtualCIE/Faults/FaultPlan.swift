/// The faults of a software card, with their moments.
public struct FaultPlan: Sendable, Equatable {
  /// The faults, in any order; several may have the same moment.
  public var entries: [Entry]

  /// A plan of these faults; empty for a card without faults.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// A plan of one fault.
  public init(_ fault: Fault, at moment: Moment = .command(1)) {
    self.init([Entry(fault: fault, moment: moment)])
  }

  /// A fault and its moment.
  public struct Entry: Sendable, Equatable {
    /// The fault.
    public let fault: Fault
    /// The moment at which it happens or, for a lasting fault, begins.
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

extension FaultPlan {
  /// The reason why a text is not a fault plan.
  public enum ParsingError: Error, Sendable, Equatable {
    case unknownFault(String)
    /// The value after `=` is missing or does not fit the fault.
    case badValue(String)
    /// The text after `@` is neither `n` nor `hh:n`.
    case badMoment(String)
  }

  /// The names of all faults, with their values, in the text form.
  public static let faultNames = generalFaultNames + documentFaultNames + wayFaultNames

  /// The faults that any conversation can have, or the identity application alone.
  public static let generalFaultNames = [
    "wrong-mac", "stripped-protection", "stale-counter", "truncated-answer[=LENGTH]",
    "cut-data[=COUNT]", "wrong-authentication-signature", "wrong-signature", "trivial-dh=VALUE",
    "hidden-file=FILE[:[bare-]WORD]", "endless-61xx[=LENGTH]", "endless-6cxx", "card-removed",
    "card-mute", "delay=MILLISECONDS", "status=HHHH", "bare-status=HHHH",
  ]

  /// The faults of the travel-document side.
  public static let documentFaultNames = [
    "wrong-token", "pace-value=KEY", "tampered-group=NUMBER", "foreign-sod",
    "wrong-chip-authentication-key", "wrong-active-authentication",
  ]

  /// Faults of the transport or of the card as a whole: no recorded conversation shows these.
  public static let wayFaultNames = [
    "extra-data[=COUNT]", "false-length=HH", "card-reset", "card-swapped", "service-stopped",
  ]

  /// Reads a plan: `NAME[=VALUE][@MOMENT]`, several separated by commas.
  ///
  /// A moment is `14`, the 14th APDU, or `20:1`, the first APDU with INS 20 (hexadecimal). The
  /// default is the first APDU. Examples: `wrong-mac@14`, `card-removed@20:1`, `delay=50@88:2`,
  /// `trivial-dh=card-value-one`, `pace-value=mapping-identity`.
  public init(parsing text: String) throws(ParsingError) {
    var entries: [Entry] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let moment = halves.count > 1 ? try Moment(parsing: String(halves[1])) : .command(1)
      let words = (halves.first ?? "").split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let fault = try Fault(
        name: String(words.first ?? ""), value: words.count > 1 ? String(words[1]) : nil)
      entries.append(Entry(fault: fault, moment: moment))
    }
    self.init(entries)
  }
}

extension FaultPlan.Moment {
  fileprivate init(parsing text: String) throws(FaultPlan.ParsingError) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false)
    if numbers.count == 1, let number = Int(text), number > 0 {
      self = .command(number)
    } else if numbers.count == 2, numbers[0].count == 2, let ins = UInt8(numbers[0], radix: 16),
      let occurrence = Int(numbers[1]), occurrence > 0
    {
      self = .instruction(ins, occurrence: occurrence)
    } else {
      throw .badMoment(text)
    }
  }
}

extension Fault {
  /// The faults without a value.
  private static let plain: [String: Fault] = [
    "wrong-mac": .wrongMAC, "stripped-protection": .strippedProtection,
    "stale-counter": .staleCounter, "wrong-authentication-signature": .wrongAuthenticationSignature,
    "wrong-signature": .wrongSignature, "wrong-token": .wrongToken,
    "foreign-sod": .foreignSecurityObject,
    "wrong-chip-authentication-key": .wrongChipAuthenticationKey,
    "wrong-active-authentication": .wrongActiveAuthentication, "endless-6cxx": .endless6Cxx,
    "card-removed": .cardRemoved, "card-mute": .cardMute, "card-reset": .cardReset,
    "card-swapped": .cardSwapped, "service-stopped": .serviceStopped,
  ]

  fileprivate init(name: String, value: String?) throws(FaultPlan.ParsingError) {
    func number(_ range: ClosedRange<Int>, absent: Int? = nil) throws(FaultPlan.ParsingError) -> Int
    {
      guard let number = value.map({ Int($0) }) ?? absent, range.contains(number) else {
        throw .badValue(name)
      }
      return number
    }
    func word() throws(FaultPlan.ParsingError) -> UInt16 {
      guard let value, value.count == 4, let word = UInt16(value, radix: 16) else {
        throw .badValue(name)
      }
      return word
    }
    if let plain = Self.plain[name] {
      guard value == nil else { throw .badValue(name) }
      self = plain
      return
    }
    switch name {
    case "truncated-answer": self = .truncatedAnswer(length: try number(0...65_538, absent: 1))
    case "cut-data": self = .cutData(count: try number(1...65_536, absent: 1))
    case "extra-data": self = .extraData(count: try number(1...65_536, absent: 1))
    case "false-length":
      guard let value, value.count == 2, let byte = UInt8(value, radix: 16) else {
        throw .badValue(name)
      }
      self = .falseLength(byte)
    case "trivial-dh":
      guard let which = value.flatMap(TrivialDHValue.init(rawValue:)) else {
        throw .badValue(name)
      }
      self = .trivialDHValue(which)
    case "pace-value":
      guard let which = value.flatMap(PACEValue.init(rawValue:)) else { throw .badValue(name) }
      self = .paceValue(which)
    case "tampered-group": self = .tamperedGroup(UInt8(clamping: try number(1...16)))
    case "hidden-file":
      let words = (value ?? "").split(separator: ":", omittingEmptySubsequences: false)
      let isBare = words.count == 2 && words[1].hasPrefix("bare-")
      guard (1...2).contains(words.count), words[0].count == 4,
        let file = UInt16(words[0], radix: 16),
        let answer = words.count == 1
          ? 0x6A82 : UInt16(words[1].dropFirst(isBare ? 5 : 0), radix: 16)
      else { throw .badValue(name) }
      self = .hiddenFile(file, statusWord: answer, isBare: isBare)
    case "endless-61xx": self = .endless61xx(dataLength: try number(0...256, absent: 0))
    case "delay": self = .delay(milliseconds: try number(0...600_000))
    case "status": self = .statusWord(try word())
    case "bare-status": self = .bareStatusWord(try word())
    default: throw .unknownFault(name)
    }
  }
}
