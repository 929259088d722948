import ArgumentParser

/// `cie-read trust`: the certificates that are believed.
struct TrustCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "trust", "command.trust", subcommands: [TrustListCommand.self, TrustImportCommand.self])
  }
}
