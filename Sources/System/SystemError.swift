internal import Glibc

/// A system call failed.
package struct SystemError: Error, Equatable {
  /// The error number, such as `ENOENT`.
  package let code: CInt

  package init(_ code: CInt) { self.code = code }

  /// What the system says about it, such as "No such file or directory".
  package var message: String { String(cString: strerror(code)) }
}

/// Makes a system call, again for as long as signals interrupt it.
///
/// - Throws: `SystemError` when it returns a negative number.
package func uninterrupted<Result: SignedInteger>(
  _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw SystemError(errno) }
  }
}
