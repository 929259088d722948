import ArgumentParser

/// The command line as a whole.
struct CieRead: ParsableCommand {
  static let version = "0.1.0"

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "cie-read", "command.cie-read", version: "cie-read \(version)",
      subcommands: [
        ReadersCommand.self, InfoCommand.self, NISCommand.self, VerifyCommand.self,
        ReadCommand.self,
        CertCommand.self, PINCommand.self, SignCommand.self,
        LoginCommand.self, TrustCommand.self, DemoCommand.self,
      ])
  }
}
