/// A binary's output and its end.
public struct ProcessResult: Sendable {
  /// Everything on standard output.
  public let standardOutput: [UInt8]
  /// Everything on standard error.
  public let standardError: [UInt8]
  /// The end of the process.
  public let end: End

  /// The end of a process.
  public enum End: Sendable, Equatable {
    /// By itself, with this exit status.
    case exited(CInt)
    /// Killed by this signal: a crash, or ours.
    case signalled(CInt)
    /// It ran longer than allowed and was killed.
    case timedOut
  }

  /// Standard output as text.
  public var output: String { String(decoding: standardOutput, as: UTF8.self) }
  /// Standard error as text.
  public var errors: String { String(decoding: standardError, as: UTF8.self) }
  /// The exit status; `nil` when it did not exit by itself.
  public var exitStatus: CInt? {
    if case .exited(let status) = end { status } else { nil }
  }
}

/// A signal sent to a binary as soon as it has written a text on standard error.
public struct ProcessInterrupt: Sendable {
  let text: String
  let signal: CInt

  /// Sends `signal` once when `text` has appeared on standard error.
  public init(when text: String, send signal: CInt) {
    self.text = text
    self.signal = signal
  }
}
