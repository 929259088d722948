import ArgumentParser

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "pin", it: "Verifica, cambia o sblocca il PIN.", en: "Verify, change or unblock the PIN.",
      subcommands: [
        PINVerifyCommand.self, PINChangeCommand.self, PINUnblockCommand.self,
      ])
  }
}
