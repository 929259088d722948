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
        throw .unfit(option, format: .raw)
      }
      return nil
    case .cades:
      if let option = particulars { throw .unfit(option, format: .cades) }
      return .cades(isDetached: isDetached)
    case .pades:
      guard !detached else { throw .unfit("--detached", format: .pades) }
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
    guard (0...1 << 20).contains(room ?? 0) else { throw .usage("bad-room") }
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
      throw .usage("several-formats")
    }
    return formats.first ?? .raw
  }

  /// The first option that is about PDFs alone.
  private var particulars: String? {
    let own = given.filter(["--reason", "--location", "--field", "--room"].contains)
    return (own + password.given + mark.given).first
  }
}

extension Failure {
  /// An option that the format does not have.
  static func unfit(_ option: String, format: SignatureFormat) -> Failure {
    usage("unfit-sign-option", ["option": option, "format": format.rawValue])
  }
}
