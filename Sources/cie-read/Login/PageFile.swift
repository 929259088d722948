import Synchronization

/// The file of --save-page: made before the login begins, written when it fails at a page, gone otherwise.
final class PageFile: Sendable {
  private let file: Mutex<OutputFile?>

  /// Makes sure that it can be written.
  init(_ path: String, overwriting: Bool) throws(Failure) {
    file = Mutex(try OutputFile(path, mode: 0o600, overwriting: overwriting))
  }

  /// Lets go of it, unwritten, as long as that is not left to the end of the program.
  func discard() { file.withLock { $0 = nil } }

  /// Writes it; once.
  func commit(_ bytes: [UInt8]) throws(Failure) {
    let file = self.file.withLock { $0.take() }
    try file?.commit(bytes)
  }
}
