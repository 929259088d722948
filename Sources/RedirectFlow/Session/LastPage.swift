internal import Synchronization

/// A page at which a login came to its end, as its server sent it. It may be personal, and may hold secrets.
public struct EndPage: Sendable, Equatable {
  /// Where it came from.
  public let url: RedirectURL
  /// Its bytes.
  public let body: [UInt8]
}

extension EndPage: Redacted {
  /// Where and how much.
  public var description: String { "page of \(body.count) bytes at \(url)" }
}

/// Keeps the page that was loaded last.
final class LastPage: Sendable {
  private let state = Mutex<EndPage?>(nil)

  /// It; `nil` before the first.
  var page: EndPage? { state.withLock { $0 } }

  func set(_ url: RedirectURL, _ body: [UInt8]) {
    state.withLock { $0 = EndPage(url: url, body: body) }
  }
}
