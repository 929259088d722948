import ArgumentParser

/// The command line as a whole.
struct CieRead: ParsableCommand {
  static let version = "0.1.0"

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "cie-read",
      it: "Legge, verifica e usa la carta d'identità elettronica italiana (CIE 3.0).",
      en: "Read, prove and use the Italian electronic identity card (CIE 3.0).",
      discussion: Bilingual(
        it: """
          Il PIN e il PUK si chiedono sul terminale senza mostrarli, o si leggono con --pin-fd e \
          --pin-file; mai dalla riga di comando. Senza lettore: --virtual. I codici di uscita: \
          help exit-codes.
          """,
        en: """
          PIN and PUK are asked for on the terminal without showing them, or read with --pin-fd \
          and --pin-file; never from the command line. Without a reader: --virtual. The exit \
          codes: help exit-codes.
          """),
      version: "cie-read \(version)",
      subcommands: [
        ReadersCommand.self, InfoCommand.self, NISCommand.self, VerifyCommand.self,
        ReadCommand.self,
        CertCommand.self, PINCommand.self, SignCommand.self,
        LoginCommand.self, TrustCommand.self, DemoCommand.self,
      ])
  }
}
