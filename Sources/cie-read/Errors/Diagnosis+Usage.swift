import Messages
import VirtualCIE

/// Command lines that are not understood.
extension Diagnosis {
  init(_ problem: UsageProblem) {
    switch problem {
    case .parser(let problem): self = .parser(problem)
    case .severalSources: self = .usage("several-sources")
    case .genuineTwice: self = .usage("genuine-twice")
    case .faultWithoutVirtual: self = .usage("fault-without-virtual")
    case .recordOfReplay: self = .usage("record-of-replay")
    case .unknownPersona:
      let personas = Persona.everyone.map(\.identifier)
      self = .usage("unknown-persona", ["personas": personas.joined(separator: ", ")])
    case .fault(let error): self = .fault(error)
    case .option(let error): self = .option(error)
    case .wait: self = .usage("bad-wait")
    case .challenge: self = .usage("bad-challenge")
    case .severalCodeSources(let role):
      self = .usage(
        "several-\(role.rawValue)-sources", ["code": role.rawValue], key: "several-code-sources")
    case .standardInputTwice: self = .usage("standard-input-twice")
    case .binaryToTerminal: self = .usage("binary-to-terminal")
    case .outputTwice: self = .usage("output-twice")
    case .noInput: self = .usage("missing-option", key: "missing-input")
    case .inputTwice: self = .usage("input-twice")
    case .outCount: self = .usage("out-count")
    case .timeout: self = .usage("bad-timeout")
    case .deadline: self = .usage("bad-deadline")
    case .severalStarts: self = .usage("several-starts")
    case .noStart: self = .usage("no-start")
    case .otherStart(let option, let needsLink):
      self = .usage(
        "wrong-start", ["option": option],
        key: needsLink ? "wrong-start-link" : "wrong-start-page")
    case .expectation: self = .usage("bad-expectation")
    case .receiver: self = .usage("bad-receiver")
    case .noDesktopProgram(let option): self = .usage("no-desktop-program", ["option": option])
    case .scheme: self = .usage("bad-scheme")
    case .noTrustFolder: self = .usage("no-trust-folder")
    case .document(let problem):
      self = .usage(problem.rawValue, key: "document-option.\(problem.rawValue)")
    case .noCommand: self = .usage("no-command")
    case .unknownCommand: self = .usage("unknown-command")
    case .unknownTopic: self = .usage("unknown-topic")
    }
  }

  private static func usage(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String? = nil
  ) -> Diagnosis {
    Diagnosis(.usage, name, arguments, key: key, advice: Message("usage.do"))
  }

  private static func parser(_ problem: ParserProblem) -> Diagnosis {
    switch problem {
    case .unknownOption(let name?, let meant?):
      usage("unknown-option", ["name": name, "meant": meant], key: "unknown-option-meant")
    case .unknownOption(let name?, nil):
      usage("unknown-option", ["name": name], key: "unknown-option-named")
    case .unknownOption(nil, _): usage("unknown-option")
    case .missingValue(let name?):
      usage("missing-value", ["name": name], key: "missing-value-named")
    case .missingValue(nil): usage("missing-value")
    case .missingOption: usage("missing-option")
    case .badValue(let name?): usage("bad-value", ["name": name], key: "bad-value-named")
    case .badValue(nil): usage("bad-value")
    case .unexpectedWords: usage("unexpected-argument")
    case .other: usage("usage")
    }
  }

  private static func option(_ error: CardOptions.ParsingError) -> Diagnosis {
    let names = CardOptions.optionNames.joined(separator: ", ")
    return switch error {
    case .unknownOption: usage("bad-option", ["names": names], key: "bad-option-unknown")
    case .badValue: usage("bad-option", ["names": names], key: "bad-option-value")
    }
  }

  private static func fault(_ error: FaultPlan.ParsingError) -> Diagnosis {
    let names = FaultPlan.faultNames.joined(separator: ", ")
    return switch error {
    case .unknownFault: usage("bad-fault", ["names": names], key: "bad-fault-unknown")
    case .badValue: usage("bad-fault", ["names": names], key: "bad-fault-value")
    case .badMoment: usage("bad-fault", key: "bad-fault-moment")
    }
  }
}
