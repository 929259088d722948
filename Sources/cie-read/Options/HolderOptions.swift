import Arguments
import CIECard
import CardWork

/// The source of a holder's code: a descriptor or a file, else standard input or the terminal.
struct CodeOptions<Code: HolderCode>: ParsableArguments {
  static var title: String? { "codes" }

  @Option(
    name: "\(Code.role.option)-fd",
    help: .text("option.\(Code.role.rawValue)-fd", value: "n"))
  var descriptor: Int32?
  @Option(
    name: "\(Code.role.option)-file",
    help: .text("option.\(Code.role.rawValue)-file", value: "file"), completion: .file())
  var file: String?

  func code(_ session: RunContext) throws(Failure) -> AwaitedCode {
    try AwaitedCode(Code.role, descriptor: descriptor, file: file, in: session)
  }

  /// The same, for a job.
  func held(_ session: RunContext) throws(Failure) -> HeldCode { HeldCode(try code(session)) }
}

/// A code that gives its options their names.
protocol HolderCode {
  static var role: CodeRole { get }
}

enum PINCode: HolderCode {
  static var role: CodeRole { .pin }
}

enum NewPINCode: HolderCode {
  static var role: CodeRole { .newPIN }
}

enum EnteredLocalCode: HolderCode {
  static var role: CodeRole { .localCode }
}

enum NewLocalCode: HolderCode {
  static var role: CodeRole { .newLocalCode }
}

enum PUKCode: HolderCode {
  static var role: CodeRole { .puk }
}

/// The terms on which a PIN or PUK is sent to a card.
struct HolderOptions: ParsableArguments {
  static let title: String? = "codes"

  // Read before parsing, too, because the session asks for codes.
  @Flag(help: .text("option.pinentry")) var pinentry = false
  @OptionGroup var terms: HolderTerms

  func access(in session: RunContext) throws(Failure) -> HolderAccess {
    try terms.access(in: session)
  }
}

/// The terms, whatever the source of the code.
struct HolderTerms: ParsableArguments {
  static let title: String? = "codes"

  @Flag(help: .text("option.allow-last-try")) var allowLastTry = false
  @Flag(help: .text("option.require-genuine")) var requireGenuine = false
  @Flag(help: .text("option.skip-genuine-check")) var skipGenuineCheck = false
  @OptionGroup var trust: TrustOptions

  func access(in session: RunContext) throws(Failure) -> HolderAccess {
    guard !requireGenuine || !skipGenuineCheck else { throw .usage(.genuineTwice) }
    guard !skipGenuineCheck else {
      return HolderAccess(allowsLastTry: allowLastTry, vouching: .skipped)
    }
    return HolderAccess(
      allowsLastTry: allowLastTry,
      vouching: try trust.vouching(asking: !requireGenuine, in: session))
  }
}
