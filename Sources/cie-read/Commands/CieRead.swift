import ArgumentParser
import System

/// The command line as a whole.
///
/// What all commands share is declared here as well: so it may stand before the command, and is taken from there.
struct CieRead: ParsableCommand {
  static let version = "0.1.0"

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "cie-read", "command.cie-read", version: "cie-read \(version)",
      subcommands: [
        ReadersCommand.self, InfoCommand.self, NISCommand.self, VerifyCommand.self,
        ReadCommand.self, CertCommand.self, PINCommand.self, SignCommand.self,
        LoginCommand.self, LockCommand.self, WatchCommand.self, ServeCommand.self,
        BrowserCommand.self,
        TrustCommand.self, StatusCommand.self, ClaimsCommand.self,
        TokenCommand.self, LogoutCommand.self, ResetCommand.self, DoctorCommand.self,
        DemoCommand.self, HelpCommand<CieRead>.self,
      ])
  }

  @OptionGroup(visibility: .hidden) var source: SourceOptions
  @OptionGroup(visibility: .hidden) var output: OutputOptions

  /// For a command that has nothing to do with a card in a reader, or in a recording.
  func requireNoSource(but persona: PersonaName? = nil) throws(Failure) {
    var source = source
    if persona != nil { source.card.virtual = nil }
    if let option = source.given { throw .usage(.unknownOption(option)) }
  }
}

/// A command that does something.
protocol CardCommand: ParsableCommand {
  /// Its name in JSON, as on the command line.
  static var name: String? { get }

  /// Whether the program waits for the person at the end.
  var staysOpen: Bool { get }

  /// Does it.
  func perform(in session: Session) throws(Failure) -> CommandOutcome
}

extension CardCommand {
  static var name: String? { configuration.commandName }

  var staysOpen: Bool { false }

  /// Does it, either way as a value.
  func outcome(in session: Session) -> Result<CommandOutcome, Failure> {
    do throws(Failure) { return .success(try perform(in: session)) } catch {
      return .failure(error)
    }
  }
}
