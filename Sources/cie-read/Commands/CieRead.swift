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
    subcommands: [
      ReadersCommand.self, InfoCommand.self, NISCommand.self, VerifyCommand.self,
      ReadCommand.self, CertCommand.self, PINCommand.self, SignCommand.self,
      CheckCommand.self, ExtendCommand.self,
      LoginCommand.self, LockCommand.self, WatchCommand.self, ServeCommand.self,
      DeskCommand.self,
      BrowserCommand.self,
      TrustCommand.self, StatusCommand.self, ClaimsCommand.self,
      TokenCommand.self, LogoutCommand.self, ResetCommand.self, DoctorCommand.self,
      DemoCommand.self, HelpCommand<CieRead>.self,
    ])

  @OptionGroup(isHidden: true) var source: SourceOptions
  @OptionGroup(isHidden: true) var output: OutputOptions
}

/// A command that does work.
protocol CardCommand: ParsableCommand {
  /// True if the program waits for the person at the end.
  var staysOpen: Bool { get }

  /// Runs the command.
  func perform(in session: RunContext) throws(Failure) -> CommandOutcome
}

extension CardCommand {
  /// Its name in JSON, as on the command line; the key of its help has the same words.
  static var name: String? {
    let words = configuration.abstract.dropFirst("command.".count).exchanging("-", for: " ")
    return words.isEmpty ? nil : words
  }

  var staysOpen: Bool { false }
}
