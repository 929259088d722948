import Synchronization

/// The file of a log. Every line is written when it comes, so a program that is killed leaves all of them.
///
/// The lines of an exchange are also brought to the disk, because of power cuts, as far as that takes a twentieth of
/// the time at most: a slow disk gets several exchanges at once.
package final class LogFile: Sendable {
  private let state: Mutex<State>

  private struct State {
    let file: OutputFile
    var failure: Failure?
    var nextSynchronization = ContinuousClock.now

    mutating func append(_ line: String) throws(Failure) {
      try file.write([UInt8](line.utf8))
      try file.publish()
      let start = ContinuousClock.now
      guard start >= nextSynchronization, !line.hasPrefix(">") else { return }
      try file.synchronize()
      let end = ContinuousClock.now
      nextSynchronization = end + (end - start) * 19
    }
  }

  /// Makes sure that the file can be written.
  package init(_ path: String, overwriting: Bool) throws(Failure) {
    state = Mutex(State(file: try OutputFile(path, overwriting: overwriting)))
  }

  /// Writes a line; after a failure nothing more.
  package func append(_ line: String) {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(Failure) { try state.append(line) } catch { state.failure = error }
    }
  }

  /// Ends the file.
  ///
  /// - Throws: the first failure.
  package func end() throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      if let failure = state.failure { throw failure }
      try state.file.commit([])
    }
  }
}
