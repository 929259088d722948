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
          DeskCommand.command, Demo.command, DoctorCommand.command,
          HelpCommand<CieRead>.self,
        ]),
      SubcommandGroup(
        "frame.commands.card",
        [
          Readers.command, Info.command,
          NIS.command, Verify.command,
          Read.command,
          Cert.command, PINCommand.self, TrustCommand.self,
          TraceCommand.self,
        ]),
      SubcommandGroup(
        "frame.commands.documents",
        [SignCommand.command, Check.command, Extend.command]),
      SubcommandGroup(
        "frame.commands.login",
        [
          LoginCommand.command, BrowserCommand.self, AccountFunctions.status.command,
          AccountFunctions.claims.command, AccountFunctions.token.command, LockCommand.self,
          AccountFunctions.logout.command, AccountFunctions.reset.command,
        ]),
      SubcommandGroup("frame.commands.kiosk", [WatchCommand.command, ServeCommand.command]),
    ])

  let slots = (SourceOptions.slots + OutputOptions.slots).hidden()
}

/// `cie-read lock`: the commands around the local code, which protects the session on this machine.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "lock", "command.lock",
    subcommands: AccountFunctions.lock.map { $0.command } + [HelpCommand<LockCommand>.self])
}

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "pin", "command.pin",
    subcommands: [
      PINVerify.command, PINChange.command,
      PINUnblock.command, HelpCommand<PINCommand>.self,
    ])
}

/// `cie-read trust`: the trusted certificates.
struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trust", "command.trust",
    subcommands: [
      TrustList.command, TrustUpdate.command, TrustImport.command,
      HelpCommand<TrustCommand>.self,
    ])
}

/// `cie-read browser`: registers the PKCS #11 module, and this program for links.
struct BrowserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "browser", "command.browser",
    subcommands: [
      BrowserStatus.command, BrowserInstall.command,
      BrowserRemove.command, HelpCommand<BrowserCommand>.self,
    ])
}

/// `cie-read trace`: conversations with a card, for people. A trace has every byte and can be replayed, a log has not.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trace", "command.trace",
    subcommands: [
      TraceShow.command, TraceCheck.command,
      TraceDiff.command, TraceStats.command,
      TraceFromReport.command, HelpCommand<TraceCommand>.self,
    ])
}
