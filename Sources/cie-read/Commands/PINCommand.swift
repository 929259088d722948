import ArgumentParser

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "pin", "command.pin",
      subcommands: [
        PINVerifyCommand.self, PINChangeCommand.self, PINUnblockCommand.self,
      ])
  }
}
