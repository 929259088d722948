import ArgumentParser

/// Tools for the people who work on cie-read: a virtual reader and measurements.
@main
struct CieLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cie-lab",
    abstract: "The workbench of cie-read.",
    subcommands: [
      VirtualReaderCommand.self, BenchmarkCommand.self, SoakCommand.self, StartUpCommand.self,
      RecordTracesCommand.self, AnchorsCommand.self,
      TraceLintCommand.self, ReplayTracesCommand.self, MutateTraceCommand.self,
    ])
}
