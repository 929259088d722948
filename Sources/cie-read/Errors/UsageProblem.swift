import VirtualCIE

/// What is wrong with a command line. It never carries what a person typed: that could be a PIN.
enum UsageProblem: Error, Sendable, Equatable {
  /// What ArgumentParser found.
  case parser(ParserProblem)
  /// More than one of --reader, --virtual, --replay.
  case severalSources
  /// --require-genuine and --skip-genuine-check.
  case genuineTwice
  /// --fault or --option without --virtual.
  case faultWithoutVirtual
  /// --record with --replay.
  case recordOfReplay
  /// --virtual with a persona that does not exist.
  case unknownPersona
  /// --fault with something that is no fault.
  case fault(FaultPlan.ParsingError)
  /// --option with something that is no option of a virtual card.
  case option(CardOptions.ParsingError)
  /// --wait below zero or beyond a day.
  case wait
  /// --challenge is not 8 to 102 bytes in hexadecimal.
  case challenge
  /// Two sources for the same PIN or PUK.
  case severalCodeSources(CodeRole)
  /// Standard input is wanted for two things.
  case standardInputTwice
  /// Bytes that are no text would go to a terminal.
  case binaryToTerminal
  /// --json leaves no standard output for anything else.
  case outputTwice
  /// Nothing to sign.
  case noInput
  /// Files to sign both with and without --in: which --out is whose?
  case inputTwice
  /// Not as many --out as --in.
  case outCount
  /// --timeout below one second or beyond ten minutes.
  case timeout
  /// --deadline below one second or beyond a day.
  case deadline
  /// A link and --sp-url.
  case severalStarts
  /// Neither a link nor a page to begin with.
  case noStart
  /// An option of the assisted login without a link, or one of the login without a browser with one.
  case otherStart(option: String, needsLink: Bool)
  /// --expect is no text, selector or address.
  case expectation
  /// --allow-receiver is no https address.
  case receiver
  /// --copy or --open, and nothing on this machine that does it.
  case noDesktopProgram(option: String)
  /// SP_URL_SCHEME is no URL scheme.
  case scheme
  /// No --to, and the environment names no folder of the user.
  case noTrustFolder
  /// An option of the travel document.
  case document(DocumentProblem)
  /// No command.
  case noCommand
  /// A command that does not exist.
  case unknownCommand
  /// Help for something that does not exist.
  case unknownTopic
}
