import Accounts
import Arguments
import CardWork
import Primitives

/// The command line as a whole.
///
/// The options that all commands share are declared here as well, so that they may stand before the command.
struct CieRead: ParsableCommand {
  static let version = ProgramRelease.version

  static let configuration = CommandConfiguration(
    "cie-read", "command.cie-read",
    groups: [
      SubcommandGroup(
        "frame.commands.begin",
        [
          DeskCommand.self, FunctionCommand<Demo>.self, DoctorCommand.self,
          HelpCommand<CieRead>.self,
        ]),
      SubcommandGroup(
        "frame.commands.card",
        [
          CardFunctionCommand<Readers>.self, CardFunctionCommand<Info>.self,
          CardFunctionCommand<NIS>.self, CardFunctionCommand<Verify>.self,
          CardFunctionCommand<Read>.self,
          CardFunctionCommand<Cert>.self, PINCommand.self, TrustCommand.self,
          TraceCommand.self,
        ]),
      SubcommandGroup(
        "frame.commands.documents",
        [SignCommand.self, FunctionCommand<Check>.self, FunctionCommand<Extend>.self]),
      SubcommandGroup(
        "frame.commands.login",
        [
          LoginCommand.self, BrowserCommand.self, FunctionCommand<Status>.self,
          FunctionCommand<Claims>.self, FunctionCommand<Token>.self, LockCommand.self,
          FunctionCommand<Logout>.self, FunctionCommand<Reset>.self,
        ]),
      SubcommandGroup("frame.commands.kiosk", [WatchCommand.self, ServeCommand.self]),
    ])

  @OptionGroup(isHidden: true) var source: SourceOptions
  @OptionGroup(isHidden: true) var output: OutputOptions
}

protocol CardCommand: ParsableCommand {
  /// True if the program waits for the person at the end.
  var staysOpen: Bool { get }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome
}

extension CardCommand {
  /// Its name in JSON, as on the command line; the key of its help has the same words.
  static var name: String? {
    // `trace from-report` has two words.
    let words = configuration.abstract.dropFirst("command.".count)
      .split(separator: "-", maxSplits: 1)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  var staysOpen: Bool { false }
}

/// `cie-read lock`: the commands around the local code, which protects the session on this machine.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "lock", "command.lock",
    subcommands: [
      FunctionCommand<LockSet>.self, FunctionCommand<LockEnter>.self,
      FunctionCommand<LockChange>.self, FunctionCommand<LockForget>.self,
      FunctionCommand<LockStatus>.self, HelpCommand<LockCommand>.self,
    ])
}

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "pin", "command.pin",
    subcommands: [
      CardFunctionCommand<PINVerify>.self, CardFunctionCommand<PINChange>.self,
      CardFunctionCommand<PINUnblock>.self, HelpCommand<PINCommand>.self,
    ])
}

/// `cie-read trust`: the trusted certificates.
struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trust", "command.trust",
    subcommands: [
      FunctionCommand<TrustList>.self, FunctionCommand<TrustImport>.self,
      HelpCommand<TrustCommand>.self,
    ])
}

/// `cie-read browser`: registers the PKCS #11 module, and this program for links.
struct BrowserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "browser", "command.browser",
    subcommands: [
      FunctionCommand<BrowserStatus>.self, FunctionCommand<BrowserInstall>.self,
      FunctionCommand<BrowserRemove>.self, HelpCommand<BrowserCommand>.self,
    ])
}

/// `cie-read trace`: conversations with a card, for people. A trace has every byte and can be replayed, a log has not.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trace", "command.trace",
    subcommands: [
      FunctionCommand<TraceShow>.self, FunctionCommand<TraceCheck>.self,
      FunctionCommand<TraceDiff>.self, FunctionCommand<TraceStats>.self,
      FunctionCommand<TraceFromReport>.self, HelpCommand<TraceCommand>.self,
    ])
}
