import CIECard
import CardWork
import Messages
import Primitives
import RedirectFlow

/// A function that can be requested over HTTP, each by its own path; the operator allows them.
struct ServedFunction: Sendable {
  let name: String
  /// The name of the command in its answers.
  let command: String
  /// Its work; nil for those that the service has itself.
  let work: (any CardFunction.Type)?

  /// The readers and their cards, and the events of both.
  static let status = ServedFunction(name: "status", command: "serve status", work: nil)
  /// Files from and to a page, in memory.
  static let files = ServedFunction(name: "files", command: "serve files", work: nil)

  static let openBrowser = ServedFunction(OpenBrowser.self)

  /// All of them, in the order of the status.
  static let all: [ServedFunction] =
    [status]
    + [
      Info.self, NIS.self, Verify.self, JudgeEvidence.self, Read.self, Cert.self, SignDigests.self,
      CheckLink.self,
      ServedLogin.self, PINChange.self, PINUnblock.self,
    ].map(ServedFunction.init) + [files]
    + [
      SignFiles.self, CheckFiles.self, ExtractFile.self, UpdateLists.self, ServedDoctor.self,
      ServedReport.self, Register.self,
    ].map(ServedFunction.init) + [openBrowser]

  private init(_ work: any CardFunction.Type) {
    self.init(name: work.definition, command: work.name, work: work)
  }

  private init(name: String, command: String, work: (any CardFunction.Type)?) {
    self.name = name
    self.command = command
    self.work = work
  }

  /// The functions of a list such as `status,nis`.
  ///
  /// - Throws: `usage` for an unknown name, and for an empty list.
  static func functions(in text: String) throws(Failure) -> Set<ServedFunction> {
    var functions: Set<ServedFunction> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let function = named(name) else {
        let names = all.map(\.name).joined(separator: ", ")
        throw .usage("unknown-function", ["names": names])
      }
      functions.insert(function)
    }
    // A login comes with the judgement of its link, which needs no card.
    if functions.contains(ServedFunction(ServedLogin.self)) {
      functions.insert(ServedFunction(CheckLink.self))
    }
    return functions
  }

  static func named(_ name: some StringProtocol) -> ServedFunction? {
    all.first { $0.name == name }
  }

  /// The members of its requests. The decision about the last try belongs to a person's window alone.
  var members: [String] {
    let members = work?.requestMembers.map(\.name) ?? []
    return members.filter { $0 != HolderTerms.decision }
  }

  /// True if a chip answers a challenge of the request; evidence that is judged has its own.
  var hasChipAnswer: Bool {
    members.contains("challenge") && name != JudgeEvidence.definition
  }

  /// True if a PIN or PUK goes to the card.
  var takesCode: Bool { members.contains { RequestObject.codeNames.contains($0) } }
}

extension ServedFunction: Hashable {
  static func == (first: ServedFunction, second: ServedFunction) -> Bool {
    first.name == second.name
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The choices of the service's operator, which no request makes.
struct ServiceTerms: Sendable {
  let entry: PINEntry
  let trust: TrustStore?
  let access: HolderAccess
  let environment: LoginEnvironment
  let uploads: UploadStore
  /// The program whose words the answers have.
  let speaker: String

  /// Turns a request's object into the work for the card, without a command to the card.
  @Sendable func prepare(
    _ function: ServedFunction, _ object: RequestObject
  ) throws(Failure) -> ServedCard.Work {
    guard let work = function.work else { throw .unknownPath }
    // A page is asked for the PIN once the site has handed the login over, and the receiver is known.
    let isLater = function == .openBrowser && !object.has("pin")
    return try work.prepared(
      object.request(
        by: entry == .page && isLater ? .terminal : entry, [TrustChoice(trust), access, self]))
  }
}

extension CardFunction {
  fileprivate static func prepared(_ request: Request) throws(Failure) -> ServedCard.Work {
    try Self(from: request).outcome
  }
}

extension Inputs {
  /// The choices of the operator, for functions that the service alone has.
  mutating func service() throws(Failure) -> ServiceTerms {
    guard let terms = chosen(ServiceTerms.self) else { throw .unknownPath }
    return terms
  }
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
