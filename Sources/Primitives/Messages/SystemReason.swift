internal import Glibc

extension SystemError {
  /// The system's text for the error number: in the person's language for the common ones, else in English, as by
  /// strerror(3).
  package var reason: Message.Argument {
    guard let name = Self.names[code] else { return message }
    return Message("system.\(name)")
  }

  private static let names = [
    ENOENT: "ENOENT", EACCES: "EACCES", EPERM: "EPERM", EISDIR: "EISDIR", ENOTDIR: "ENOTDIR",
    ENOSPC: "ENOSPC", EROFS: "EROFS", EIO: "EIO",
  ]
}
