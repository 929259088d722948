/// Text from a link or a page that may come from any sender. It may be shown, marked as such; no decision depends on
/// it.
public struct UntrustedText: Sendable, Hashable {
  static let displayLimit = 200

  /// The text unchanged. Not for a terminal.
  public let raw: String

  /// Text as it came.
  public init(_ raw: String) { self.raw = raw }

  /// The text for a screen: on one line, at most 200 characters, without control characters and without the
  /// invisible ones that reverse or hide their neighbours.
  public var display: String {
    var shown = String.UnicodeScalarView()
    for scalar in raw.unicodeScalars.prefix(Self.displayLimit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown) + (raw.unicodeScalars.count > Self.displayLimit ? "…" : "")
  }
}

/// A value whose text may reach a log: personal data and bearer secrets are left out of every form of printing it.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{}

extension Redacted {
  /// `description`, because that is redacted.
  public var debugDescription: String { description }
  /// No children, so that `dump` shows no more than `description`.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
