/// A token of HTML (HTML Living Standard §13.2.5).
enum HTMLToken: Sendable, Equatable {
  case doctype(HTMLDoctype)
  case start(HTMLTag)
  case end(String)
  case comment(String)
  /// Text between two other tokens, its character references resolved.
  case text(String)
}

/// A start tag.
struct HTMLTag: Sendable, Equatable {
  /// Its name in lower case.
  var name: String
  /// Its attributes by their names in lower case; of repeated ones the first.
  var attributes: [String: String] = [:]
  var isSelfClosing = false
}

struct HTMLDoctype: Sendable, Equatable {
  var name: String?
  var publicIdentifier: String?
  var systemIdentifier: String?
  /// True if it is broken, and the page therefore one of the old kind ("force-quirks flag").
  var isBroken = false
}
