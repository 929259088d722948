import Glibc

/// What the system says of an error number.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
