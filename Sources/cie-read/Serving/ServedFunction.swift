import Messages
import System

/// What can be asked for over HTTP, each by its own path; the operator says which of it.
enum ServedFunction: String, CaseIterable, Sendable {
  /// The readers and what lies on them, and the events of both.
  case status
  case info, nis, verify, read, cert, sign, login

  /// Those of a list such as `status,nis`.
  ///
  /// - Throws: `usage` for a name that is none, and for a list without any.
  static func functions(in text: String) throws(Failure) -> Set<ServedFunction> {
    var functions: Set<ServedFunction> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let function = ServedFunction(rawValue: String(name)) else {
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage(.unknownFunction(names))
      }
      functions.insert(function)
    }
    return functions
  }
}

/// Where a PIN comes from that a request needs.
enum PINEntry: String, CaseIterable, Sendable {
  /// The terminal of the service.
  case terminal
  /// A window of the desktop.
  case pinentry
  /// The request: its page has asked for it.
  case page
}

/// What is wrong with a request, before any card is asked.
extension Diagnosis {
  /// Nothing has this path.
  static let unknownPath = Diagnosis(.usage, "unknown-path")
  /// The path is there, with another method.
  static let wrongMethod = Diagnosis(.usage, "wrong-method")
  /// The operator has not allowed this function.
  static let functionNotAllowed = Diagnosis(.usage, "function-not-allowed")
  /// The body is not sent as JSON.
  static let wrongMediaType = Diagnosis(.usage, "wrong-media-type")
  /// The body is no JSON object, or names a member twice.
  static let malformedRequest = Diagnosis(.usage, "malformed-request")
  /// The object has a member that this function does not know, or one of another kind.
  static func badMember(_ names: String) -> Diagnosis {
    Diagnosis(.usage, "bad-member", ["names": names])
  }
  /// The object has a PIN, which this service does not take from a page.
  static let pinRefused = Diagnosis(.usage, "pin-refused")
  /// The object has no PIN, and nobody else is asked for it.
  static let pinMissing = Diagnosis(.usage, "pin-missing")
  /// Another request has the card.
  static let busy = Diagnosis(.cardLost, "busy")
  /// So many clients hear events that there is no room for another one.
  static let tooManyListeners = Diagnosis(.internalFailure, "too-many-listeners")
}
