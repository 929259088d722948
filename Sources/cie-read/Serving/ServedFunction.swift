import CardWork
import Messages
import Primitives

/// A function that can be requested over HTTP, each by its own path; the operator allows them.
enum ServedFunction: String, CaseIterable, Sendable {
  /// The readers and their cards, and the events of both.
  case status
  case info, nis, verify, read, cert, sign, login

  /// The functions of a list such as `status,nis`.
  ///
  /// - Throws: `usage` for an unknown name, and for an empty list.
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

/// The source of a PIN that a request needs.
enum PINEntry: String, CaseIterable, Sendable {
  /// The terminal of the service.
  case terminal
  /// A window of the desktop.
  case pinentry
  /// The request: its page has asked for it.
  case page
}

/// The diagnoses of a request, before any card is asked.
extension Diagnosis {
  /// The path is unknown.
  static let unknownPath = Diagnosis(.usage, "unknown-path")
  /// The path has other methods.
  static let wrongMethod = Diagnosis(.usage, "wrong-method")
  /// The operator has not allowed this function.
  static let functionNotAllowed = Diagnosis(.usage, "function-not-allowed")
  /// The body is not sent as JSON.
  static let wrongMediaType = Diagnosis(.usage, "wrong-media-type")
  /// The body is no JSON object, or has a member twice.
  static let malformedRequest = Diagnosis(.usage, "malformed-request")
  /// The object has a member that this function does not know, or one of another type.
  static func badMember(_ names: String) -> Diagnosis {
    Diagnosis(.usage, "bad-member", ["names": names])
  }
  /// The object has a PIN, which this service does not take from a page.
  static let pinRefused = Diagnosis(.usage, "pin-refused")
  /// The object has no PIN, and there is no other source for it.
  static let pinMissing = Diagnosis(.usage, "pin-missing")
  /// Another request has the card.
  static let busy = Diagnosis(.cardLost, "busy")
  /// The limit of listeners is reached.
  static let tooManyListeners = Diagnosis(.internalFailure, "too-many-listeners")
}
