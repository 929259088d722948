/// A value whose text may reach a log: what is personal or a bearer secret is left out of every way of printing it.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  /// The same as `description`.
  public var debugDescription: String { description }
  /// No children, so that `dump` shows no more than `description`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
