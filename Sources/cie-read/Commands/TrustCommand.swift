import ArgumentParser

/// `cie-read trust`: the certificates that are believed.
struct TrustCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "trust", it: "Elenca o importa i certificati CSCA a cui credere.",
      en: "List or import the CSCA certificates to believe.",
      subcommands: [TrustListCommand.self, TrustImportCommand.self])
  }
}
