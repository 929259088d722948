import Arguments
import CIECard
import CardWork
import DocumentSigning
import Primitives

/// Formats of the signatures that `sign` makes.
enum SignatureFormat: String, CaseIterable, ArgumentValue {
  /// The value of the signature alone.
  case raw
  /// CMS (EN 319 122-1).
  case cades
  /// Inside a PDF (EN 319 142-1).
  case pades
  /// PAdES for names that end in `.pdf`, CAdES for the others.
  case auto
}

/// The format of the signatures, and their particulars.
struct SigningOptions: ParsableArguments {
  @Option(help: .text("option.sign.format", value: "format")) var format: SignatureFormat?
  @Flag(help: .text("option.sign.detached")) var detached = false
  @Option(name: "out-dir", help: .text("option.sign.folder", value: "folder"), completion: .file())
  var folder: String?
  @Option(help: .text("option.sign.reason", value: "text")) var reason: String?
  @Option(help: .text("option.sign.location", value: "text")) var location: String?
  @Option(help: .text("option.sign.field", value: "name")) var field: String?
  @Option(help: .text("option.sign.room", value: "bytes")) var room: Int?
  @OptionGroup var mark: MarkOptions
  @OptionGroup var password: PDFPasswordOptions

  @Option(help: .text("option.sign.level", value: "level")) var level = SignatureLevel.b
  @Flag(help: .text("option.sign.tsa-optional")) var tsaOptional = false

  /// The format of documents; nil for raw signatures.
  ///
  /// - Parameter outputs: the paths of `--out`, which imply the format if it is not given.
  func documentFormat(
    _ outputs: [String], in session: RunContext
  ) throws(Failure) -> DocumentFormat? {
    let endings = Set(outputs.map { String($0.lowercased().suffix(4)) })
    let isDetached = detached || endings == [".p7s"]
    switch try format(endings) {
    case .raw:
      if let option = particulars ?? (detached ? "--detached" : nil) {
        throw .usage(.unfit(option, format: .raw))
      }
      return nil
    case .cades:
      if let option = particulars { throw .usage(.unfit(option, format: .cades)) }
      return .cades(isDetached: isDetached)
    case .pades:
      guard !detached else { throw .usage(.unfit("--detached", format: .pades)) }
      return .pades(try pdfParticulars(in: session))
    case .auto: return .byName(try pdfParticulars(in: session), isDetached: isDetached)
    }
  }

  private func pdfParticulars(
    in session: RunContext
  ) throws(Failure) -> PDFParticulars {
    var particulars = PDFParticulars()
    (particulars.reason, particulars.location) = (reason, location)
    particulars.field = field
    particulars.mark = try mark.visibleMark()
    particulars.password = try password.password(in: session)
    guard (0...1 << 20).contains(room ?? 0) else { throw .usage(.room) }
    (particulars.room, particulars.isStamped) = (room, level != .b)
    return particulars
  }

  private func format(_ endings: Set<String>) throws(Failure) -> SignatureFormat {
    if let format { return format }
    let formats = Set(
      endings.map { (ending) -> SignatureFormat in
        switch ending {
        case ".p7m", ".p7s": .cades
        case ".pdf": .pades
        default: .raw
        }
      })
    guard formats.count <= 1, endings.count <= 1 || formats == [.raw] else {
      throw .usage(.severalFormats)
    }
    return formats.first ?? .raw
  }

  /// The first option that is about PDFs alone.
  private var particulars: String? {
    let own = [
      ("--reason", reason != nil), ("--location", location != nil), ("--field", field != nil),
      ("--room", room != nil), ("--password-fd", password.descriptor != nil),
      ("--password-file", password.file != nil),
    ]
    return (own + mark.given).first { $0.1 }?.0
  }
}

extension Diagnosis {
  /// An option that the format does not have.
  fileprivate static func unfit(_ option: String, format: SignatureFormat) -> Diagnosis {
    usage("unfit-sign-option", ["option": option, "format": format.rawValue])
  }

  /// --out with endings of several formats, and no --format.
  fileprivate static let severalFormats = usage("several-formats")
  /// --room below zero or beyond 1 MiB.
  fileprivate static let room = usage("bad-room")
  /// --digest with a format that has SHA-256 alone.
  static let unfitDigest = unfit("--digest", format: .cades)
  /// --level t or --tsa with a format of signatures without documents.
  static let unfitLevel = unfit("--level", format: .raw)
  /// --out-dir with a format of signatures without documents.
  static let folderOfRaw = unfit("--out-dir", format: .raw)
  /// --out and --out-dir.
  static let severalOutputs = usage("several-outputs")
  /// Two inputs whose signed files would have the same path.
  static let sameOutput = usage("same-output")
}
