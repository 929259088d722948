import ArgumentParser

/// A command that does something.
protocol CardCommand: ParsableCommand {
  /// Its name in JSON, as on the command line.
  static var name: String? { get }

  /// Does it.
  func perform(in session: Session) throws(Failure) -> CommandOutcome
}

extension CardCommand {
  static var name: String? { configuration.commandName }

  /// Does it, either way as a value.
  func outcome(in session: Session) -> Result<CommandOutcome, Failure> {
    do throws(Failure) { return .success(try perform(in: session)) } catch {
      return .failure(error)
    }
  }
}
