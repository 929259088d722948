package import System

/// A browser that takes commands and tells what happens, as zero-ended JSON (Chrome DevTools Protocol): a Chromium that was
/// started with `--remote-debugging-pipe`, or a Firefox in which the script for it runs (`FirefoxScript`). No port is open,
/// so nobody else can command it.
package protocol RemoteBrowser: Sendable {
  /// What it tells.
  var messages: FileDescriptor { get }
  /// Where it takes commands.
  var commands: FileDescriptor { get }

  /// Whether it, having gone, ended otherwise than by being closed; it may be waited for.
  func hasFailed() -> Bool
}
