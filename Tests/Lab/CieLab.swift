import Arguments
import CProcessControl
import Glibc
import Primitives

@main
enum Workbench {
  static func main() {
    endAtCrash()
    cie_keep_memory_private()
    exit(CieLab.run(Array(CommandLine.arguments.dropFirst())))
  }
}

/// Tools for developers of cie-read: a virtual reader and measurements.
struct CieLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    "cie-lab", "The workbench of cie-read.",
    subcommands: [
      VirtualReaderCommand.self, BenchmarkCommand.self, SoakCommand.self, FaultsCommand.self,
      RecordTracesCommand.self, AnchorsCommand.self, TrustedListsCommand.self,
      TraceLintCommand.self, ReplayTracesCommand.self, MutateTraceCommand.self,
    ])
}

extension CieLab {
  /// Runs a command line.
  ///
  /// - Returns: the exit status: 64 for a command line that does not fit (sysexits.h), 1 for any other failure.
  static func run(_ words: [String]) -> Int32 {
    do {
      switch try Parser.parse(words, of: CieLab.self) {
      case .help(let path): print(help(of: path.last ?? CieLab.self))
      case .command(let command as any LabCommand):
        try command.validate()
        try command.run()
      case .command, .version: return 64
      }
      return 0
    } catch let error as ParsingError {
      return fail("\(error.reason)", 64)
    } catch let error as LabError {
      guard case .unfit(let text) = error else { return 1 }
      return fail(text, 64)
    } catch {
      return fail("\(error)", 1)
    }
  }

  private static func fail(_ text: String, _ status: Int32) -> Int32 {
    try? FileDescriptor(STDERR_FILENO).writeAll([UInt8]("Error: \(text)\n".utf8))
    return status
  }

  private static func help(of command: any ParsableCommand.Type) -> String {
    let configuration = command.configuration
    let arguments = command.declarations.map { argument in
      let value = argument.kind == .option ? " <\(argument.valueName)>" : ""
      let fallback = argument.fallback.map { " (default: \($0))" } ?? ""
      return "  \(argument.spelling)\(value)\n      \(argument.help.text)\(fallback)"
    }
    let commands = command.listedSubcommands.map { "  \($0.name)\n      \($0.abstract)" }
    return
      ([configuration.name + ": " + configuration.abstract, configuration.discussion]
      .filter { !$0.isEmpty } + arguments + commands).joined(separator: "\n")
  }
}
