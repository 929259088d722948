import Arguments
import CIECard
import CardWork
import Primitives

/// The terms on which a PIN or PUK is sent to a card, and the place of the question for it.
struct HolderChoice: Readable {
  static let title: String? = "codes"

  let terms: HolderTerms

  init(_ terms: HolderTerms) { self.terms = terms }

  init(from inputs: inout Inputs) throws(Failure) {
    // For the context, which asks for codes.
    _ = try inputs.flag("pinentry", help: "option.pinentry")
    terms = try inputs.part()
  }

  func access(in context: RunContext) throws(Failure) -> HolderAccess {
    try terms.access(in: context)
  }
}

/// The terms, whatever the source of the code.
struct HolderTerms: Readable {
  static let title: String? = "codes"
  /// The decision that a request may have in the window of a person, and in no service.
  static let decision = "allowLastTry"

  let allowLastTry: Bool
  let requireGenuine: Bool
  let skipGenuineCheck: Bool
  let trust: TrustChoice
  /// The terms of the operator of a service, instead of all but the decision of a person.
  private let chosen: HolderAccess?

  init(_ access: HolderAccess) {
    (allowLastTry, requireGenuine, skipGenuineCheck) = (false, false, false)
    trust = TrustChoice(nil)
    chosen = access
  }

  init(from inputs: inout Inputs) throws(Failure) {
    allowLastTry = try inputs.flag(
      "allow-last-try", help: "option.allow-last-try",
      http: "Only in the window of `cie-read desk`: the person agreed that the last try is spent.")
    requireGenuine = try inputs.flag("require-genuine", help: "option.require-genuine")
    skipGenuineCheck = try inputs.flag("skip-genuine-check", help: "option.skip-genuine-check")
    trust = try inputs.part()
    inputs.adds(.genuine)
    chosen = inputs.chosen(HolderAccess.self)
  }

  func access(in context: RunContext) throws(Failure) -> HolderAccess {
    if let chosen { return chosen.allowing(lastTry: allowLastTry) }
    guard !requireGenuine || !skipGenuineCheck else { throw .usage("genuine-twice") }
    guard !skipGenuineCheck else {
      return HolderAccess(allowsLastTry: allowLastTry, vouching: .skipped)
    }
    return HolderAccess(
      allowsLastTry: allowLastTry,
      vouching: try trust.vouching(asking: !requireGenuine, in: context))
  }
}

extension Notice {
  static let genuine = Notice(
    "genuine",
    .words(["proved", "could-not-check", "skipped"]).noted(
      "What is known, before a PIN or PUK goes out, of whether the State vouches for the chip."))
}

extension Offer {
  /// The holder's PIN, for requests.
  static let pin = Offer(
    "Only, and always, where `pinEntry` of the status is `page`. It is sent to the card at most once."
  )
  static let newPIN = Offer("The new PIN, where `pinEntry` of the status is `page`.")
}

/// The password of encrypted PDFs.
struct PDFPassword: Readable {
  private let descriptor: Int32?
  private let file: String?

  init(from inputs: inout Inputs) throws(Failure) {
    descriptor = try inputs.option("password-fd", help: "option.pdf-password-fd", value: "n")
    file = try inputs.text(
      "password-file", help: "option.pdf-password-file", value: "file", completion: .file())
  }

  /// Its bytes; empty without an option.
  func bytes(in context: RunContext) throws(Failure) -> [UInt8] {
    guard descriptor != nil || file != nil else { return [] }
    var code = try AwaitedCode(.password, descriptor: descriptor, file: file, in: context)
    return try code.take(in: context).withBytes { [UInt8]($0) }
  }
}
