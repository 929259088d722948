import Arguments

protocol LabCommand: ParsableCommand {
  /// Refuses values that make no sense.
  func validate() throws

  func run() throws
}

extension LabCommand {
  func validate() throws {}
}

/// Why a command of the workbench ends early.
enum LabError: Error {
  /// The command has printed its findings.
  case found
  case unfit(String)

  init(_ text: String) { self = .unfit(text) }
}
