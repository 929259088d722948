import CardWork
import Messages
import Primitives

/// A function that can be requested over HTTP, each by its own path; the operator allows them.
enum ServedFunction: String, CaseIterable, Sendable {
  /// The readers and their cards, and the events of both.
  case status
  case info, nis, verify, read, cert, sign, login
  case pinChange = "pin-change"
  case pinUnblock = "pin-unblock"
  /// Files from and to a page, in memory.
  case files
  case signFiles = "sign-files"
  case checkFiles = "check-files"
  case extract
  case doctor, report
  /// The module in browsers, and the program for links.
  case register
  /// A window of a browser in which a person logs in with the card.
  case openBrowser = "open-browser"

  /// The functions of a list such as `status,nis`.
  ///
  /// - Throws: `usage` for an unknown name, and for an empty list.
  static func functions(in text: String) throws(Failure) -> Set<ServedFunction> {
    var functions: Set<ServedFunction> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let function = ServedFunction(rawValue: String(name)) else {
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("unknown-function", ["names": names])
      }
      functions.insert(function)
    }
    return functions
  }

  /// The name of the command in its answers, and the members of its object.
  private var definition: (command: String, members: [String]) {
    if let work {
      let members = work.requestMembers.map(\.name)
      return (work.name, members.filter { $0 != HolderTerms.decision })
    }
    return switch self {
    case .status: ("serve status", [])
    case .info, .nis, .verify, .pinChange, .pinUnblock, .doctor: (rawValue, [])
    case .read: (rawValue, ["can", "only", "requireValid"])
    case .cert: (rawValue, ["pin"])
    case .sign: (rawValue, ["pin", "algorithm", "digests"])
    case .login: (rawValue, ["pin", "link"])
    case .files: ("serve files", [])
    case .signFiles: ("sign", ["pin", "files", "format", "reason", "location", "mark", "page"])
    case .checkFiles: ("check", ["files"])
    case .extract: ("serve files", ["files"])
    case .report: ("doctor", [])
    case .register: ("browser status", ["what", "on"])
    case .openBrowser: ("login", ["pin", "address"])
    }
  }

  /// The function itself, where it is declared as one value.
  var work: (any CardFunction.Type)? {
    let all = FunctionList.all.lazy.compactMap { $0 as? any CardFunction.Type }
    return all.first { $0.served != nil && $0.definition == rawValue }
  }

  var command: String { definition.command }
  var members: [String] { definition.members }

  /// True if a PIN or PUK goes to the card.
  var takesCode: Bool { members.contains { RequestObject.codeNames.contains($0) } }
}

/// The source of a PIN that a request needs.
enum PINEntry: String, CaseIterable, Sendable {
  case terminal
  case pinentry
  /// The request: its page has asked for it.
  case page
}

/// The failures of a request, before any card is asked.
extension Failure {
  static let unknownPath = Failure.found(Diagnosis(.usage, "unknown-path"))
  static let wrongMethod = Failure.found(Diagnosis(.usage, "wrong-method"))
  /// The body is no JSON object, or has a member twice.
  static let malformedRequest = Failure.found(Diagnosis(.usage, "malformed-request"))

  /// The object has a member that this function does not know. A name that is not made of letters may be a code in the
  /// wrong place, and is not repeated.
  static func unknownMember(_ name: String, among known: [String]) -> Failure {
    let isWord =
      name.utf8.count <= 32
      && name.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
    let names = known.isEmpty ? "-" : known.joined(separator: ", ")
    return .found(
      Diagnosis(
        .usage, "bad-member", ["name": isWord ? name : "?", "names": names], key: "unknown-member"))
  }
}
