package import System

/// A Chromium that was started with `--remote-debugging-pipe`: it takes commands and tells what happens, as zero-ended
/// JSON over two pipes (Chrome DevTools Protocol). No port is open, so nobody else can command it.
package protocol RemoteBrowser: Sendable {
  /// What it tells.
  var messages: FileDescriptor { get }
  /// Where it takes commands.
  var commands: FileDescriptor { get }

  /// Whether it, having gone, ended otherwise than by being closed; it may be waited for.
  func hasFailed() -> Bool
}
