internal import COpenSSL

/// OpenSSL refused an operation: wrong input sizes, no memory, or a value out of range.
///
/// It carries the name of the operation and OpenSSL's own reason text, never key material.
public struct CryptoError: Error, Sendable, Equatable {
  /// What was attempted, in this package's words.
  public let operation: String
  /// OpenSSL's reason string, empty when its error queue had none.
  public let reason: String

  package init(_ operation: String, reason: String = "") {
    self.operation = operation
    self.reason = reason
  }

  /// Takes the newest entry of OpenSSL's per-thread error queue and empties the queue.
  static func fromQueue(_ operation: String) -> CryptoError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else {
      return CryptoError(operation)
    }
    return CryptoError(operation, reason: String(cString: text))
  }
}
