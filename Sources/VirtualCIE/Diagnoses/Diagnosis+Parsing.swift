public import Primitives

extension Diagnosis {
  /// A text that is no list of options.
  public init(_ error: CardOptions.ParsingError) {
    let names = CardOptions.optionNames.joined(separator: ", ")
    self =
      switch error {
      case .unknownOption: .usage("bad-option", ["names": names], key: "bad-option-unknown")
      case .badValue: .usage("bad-option", ["names": names], key: "bad-option-value")
      case .noKey: .usage("bad-option", key: "bad-option-no-key")
      }
  }

  /// A text that is no fault plan.
  public init(_ error: FaultPlan.ParsingError) {
    let names = FaultPlan.faultNames.joined(separator: ", ")
    self =
      switch error {
      case .unknownFault: .usage("bad-fault", ["names": names], key: "bad-fault-unknown")
      case .badValue: .usage("bad-fault", ["names": names], key: "bad-fault-value")
      case .badMoment: .usage("bad-fault", key: "bad-fault-moment")
      }
  }

  private static func usage(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String
  ) -> Diagnosis {
    Diagnosis(.usage, name, arguments, key: key, advice: Message("usage.do"))
  }
}

extension CardOptions.ParsingError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension FaultPlan.ParsingError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
