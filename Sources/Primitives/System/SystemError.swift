internal import Glibc

/// Failure of a system call.
package struct SystemError: Error, Equatable {
  /// The error number, such as `ENOENT`.
  package let code: CInt

  package init(_ code: CInt) { self.code = code }

  /// The system's description, such as "No such file or directory".
  package var message: String { String(cString: strerror(code)) }
}

/// Repeats a system call while it is interrupted by signals.
///
/// - Throws: `SystemError` if it returns a negative number.
func uninterrupted<Result: SignedInteger>(
  _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw SystemError(errno) }
  }
}

/// Evaluates an expression and maps its error to that of another layer, as `Result.mapError` does.
@inlinable
package func mapError<Value: ~Copyable, Lower: Error, Upper: Error>(
  _ value: @autoclosure () throws(Lower) -> Value, _ convert: (Lower) -> Upper
) throws(Upper) -> Value {
  do { return try value() } catch { throw convert(error) }
}
