import Arguments
import CIECard
import CardWork
import FunctionFrame
import Primitives

/// The source of a holder's code: a descriptor or a file, else standard input or the terminal.
struct CodeOptions: ParsableArguments {
  static let title: String? = "codes"

  let role: CodeRole
  @Option var descriptor: Int32?
  @Option var file: String?

  init() { self.init(.pin) }

  init(_ role: CodeRole) {
    self.role = role
    _descriptor = Option(
      name: "\(role.option)-fd", help: .text("option.\(role.rawValue)-fd", value: "n"))
    _file = Option(
      name: "\(role.option)-file", help: .text("option.\(role.rawValue)-file", value: "file"),
      completion: .file())
  }

  func code(_ context: RunContext) throws(Failure) -> AwaitedCode {
    try AwaitedCode(role, descriptor: descriptor, file: file, in: context)
  }

  /// The same, for a job.
  func held(_ context: RunContext) throws(Failure) -> HeldCode { HeldCode(try code(context)) }
}

/// The terms on which a PIN or PUK is sent to a card.
struct HolderOptions: ParsableArguments {
  static let title: String? = "codes"

  // Read before parsing, too, because the session asks for codes.
  @Flag(help: .text("option.pinentry")) var pinentry = false
  @OptionGroup var terms: HolderTerms

  func access(in context: RunContext) throws(Failure) -> HolderAccess {
    try terms.access(in: context)
  }
}

/// The terms, whatever the source of the code.
struct HolderTerms: ParsableArguments {
  static let title: String? = "codes"

  @Flag(help: .text("option.allow-last-try")) var allowLastTry = false
  @Flag(help: .text("option.require-genuine")) var requireGenuine = false
  @Flag(help: .text("option.skip-genuine-check")) var skipGenuineCheck = false
  @OptionGroup var trust: Part<TrustChoice>

  func access(in context: RunContext) throws(Failure) -> HolderAccess {
    guard !requireGenuine || !skipGenuineCheck else { throw .usage("genuine-twice") }
    guard !skipGenuineCheck else {
      return HolderAccess(allowsLastTry: allowLastTry, vouching: .skipped)
    }
    return HolderAccess(
      allowsLastTry: allowLastTry,
      vouching: try trust.value().vouching(asking: !requireGenuine, in: context))
  }
}

struct PDFPasswordOptions: ParsableArguments {
  @Option(name: "password-fd", help: .text("option.pdf-password-fd", value: "n"))
  var descriptor: Int32?
  @Option(
    name: "password-file", help: .text("option.pdf-password-file", value: "file"),
    completion: .file())
  var file: String?

  /// Its bytes; empty without an option.
  func password(in context: RunContext) throws(Failure) -> [UInt8] {
    guard !given.isEmpty else { return [] }
    var code = try AwaitedCode(.password, descriptor: descriptor, file: file, in: context)
    return try code.take(in: context).withBytes { [UInt8]($0) }
  }
}
