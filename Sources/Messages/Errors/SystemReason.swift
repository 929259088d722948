import Glibc
package import System

extension SystemError {
  /// What the system says about it: in the person's language where it is one of those that people meet, else in
  /// English, as strerror(3) has it.
  package var reason: Message.Argument {
    guard let name = Self.names[code] else { return message }
    return Message("system.\(name)")
  }

  private static let names = [
    ENOENT: "ENOENT", EACCES: "EACCES", EPERM: "EPERM", EISDIR: "EISDIR", ENOTDIR: "ENOTDIR",
    ENOSPC: "ENOSPC", EROFS: "EROFS", EIO: "EIO",
  ]
}
