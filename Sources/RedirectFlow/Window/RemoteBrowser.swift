package import Primitives

/// A browser that takes commands and sends events, as zero-ended JSON (Chrome DevTools Protocol): a Chromium that was
/// started with `--remote-debugging-pipe`, or a Firefox in which the script for it runs (`FirefoxScript`). No port is
/// open, so no other process can command it.
package protocol RemoteBrowser: Sendable {
  var messages: FileDescriptor { get }
  var commands: FileDescriptor { get }

  /// Returns true if the browser has ended otherwise than by being closed; it may wait for the process.
  func hasFailed() -> Bool
}
