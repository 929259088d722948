public import CIECard

/// Why no URL came back to the loopback listener.
public enum ReturnListenerError: Error, Sendable, Equatable {
  /// A call of the system failed; its name and the error number.
  case system(call: String, errno: Int32)
  /// No random bytes for the secret path.
  case random(CryptoError)
  /// The time is over.
  case timedOut
  /// Somebody called `cancel`.
  case cancelled
  /// The listener has ended already: it takes one URL in its life.
  case ended
  /// Too many requests without the secret path: something on this machine is guessing.
  case tooManyRequests
}
