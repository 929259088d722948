import ArgumentParser

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
        LoginCommand.self, TrustCommand.self, DemoCommand.self, HelpCommand<CieRead>.self,
      ])
  }

  @OptionGroup(visibility: .hidden) var source: SourceOptions
  @OptionGroup(visibility: .hidden) var output: OutputOptions

  /// For a command that has nothing to do with a card in a reader, or in a recording.
  func requireNoSource(but persona: PersonaName? = nil) throws(Failure) {
    var source = source
    if persona != nil { source.card.virtual = nil }
    if let option = source.given { throw .usage(.parser(.unknownOption(option, meant: nil))) }
  }
}

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "pin", "command.pin",
      subcommands: [
        PINVerifyCommand.self, PINChangeCommand.self, PINUnblockCommand.self,
        HelpCommand<PINCommand>.self,
      ])
  }
}

/// `cie-read trust`: the certificates that are believed.
struct TrustCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "trust", "command.trust",
      subcommands: [
        TrustListCommand.self, TrustImportCommand.self, HelpCommand<TrustCommand>.self,
      ])
  }
}
