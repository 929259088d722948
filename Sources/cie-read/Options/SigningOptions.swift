import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Pictures
import Primitives
import RedirectFlow

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
struct SigningOptions: Readable {
  private let format: SignatureFormat?
  private let detached: Bool
  let folder: String?
  private let reason: String?
  private let location: String?
  private let field: String?
  private let room: Int?
  private let mark: MarkOptions
  private let password: PDFPassword
  let level: SignatureLevel
  let tsaOptional: Bool
  /// The given options that are about PDFs alone.
  private let ofPDF: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    format = try inputs.option("format", help: "option.sign.format", value: "format")
    detached = try inputs.flag("detached", help: "option.sign.detached")
    folder = try inputs.text(
      "out-dir", help: "option.sign.folder", value: "folder", completion: .file())
    let before = inputs.given.count
    reason = try inputs.text("reason", help: "option.sign.reason", value: "text")
    location = try inputs.text("location", help: "option.sign.location", value: "text")
    field = try inputs.text("field", help: "option.sign.field", value: "name")
    room = try inputs.option("room", help: "option.sign.room", value: "bytes")
    mark = try inputs.part()
    password = try inputs.part()
    ofPDF = Array(inputs.given.dropFirst(before))
    level = try inputs.option("level", default: .b, help: "option.sign.level", value: "level")
    tsaOptional = try inputs.flag("tsa-optional", help: "option.sign.tsa-optional")
  }

  /// The format of documents; nil for raw signatures.
  ///
  /// - Parameter outputs: the paths of `--out`, which imply the format if it is not given.
  func documentFormat(
    _ outputs: [String], in context: RunContext
  ) throws(Failure) -> DocumentFormat? {
    let endings = Set(outputs.map { String($0.lowercased().suffix(4)) })
    let isDetached = detached || endings == [".p7s"]
    switch try format(endings) {
    case .raw:
      if let option = ofPDF.first ?? (detached ? "--detached" : nil) {
        throw .unfit(option, format: .raw)
      }
      return nil
    case .cades:
      if let option = ofPDF.first { throw .unfit(option, format: .cades) }
      return .cades(isDetached: isDetached)
    case .pades:
      guard !detached else { throw .unfit("--detached", format: .pades) }
      return .pades(try pdfParticulars(in: context))
    case .auto: return .byName(try pdfParticulars(in: context), isDetached: isDetached)
    }
  }

  private func pdfParticulars(
    in context: RunContext
  ) throws(Failure) -> PDFParticulars {
    var particulars = PDFParticulars()
    (particulars.reason, particulars.location) = (reason, location)
    particulars.field = field
    particulars.mark = try mark.visibleMark()
    particulars.mark?.speak(context.language)
    particulars.password = try password.bytes(in: context)
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
}

extension Failure {
  /// An option that the format does not have.
  static func unfit(_ option: String, format: SignatureFormat) -> Failure {
    usage("unfit-sign-option", ["option": option, "format": format.rawValue])
  }
}

/// The visible mark of a signature in a PDF: text, an image, or both.
struct MarkOptions: Readable {
  static let title: String? = "mark"

  private let mark: Bool
  private let image: String?
  private let page: VisibleMark.Page?
  private let at: VisibleMark.Place?
  private let given: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    let before = inputs.given.count
    mark = try inputs.flag("mark", help: "option.sign.mark")
    image = try inputs.text(
      "mark-image", help: "option.sign.mark-image", value: "file", completion: .file())
    page = try inputs.option("page", help: "option.sign.page", value: "page")
    at = try inputs.option("at", help: "option.sign.at", value: "place")
    given = Array(inputs.given.dropFirst(before))
  }

  func visibleMark() throws(Failure) -> VisibleMark? {
    guard mark || image != nil else {
      if let option = given.first { throw .usage("without-mark", ["option": option]) }
      return nil
    }
    var visible = VisibleMark()
    visible.hasText = mark
    if let page { visible.page = page }
    if let at { visible.place = at }
    if let image {
      let file = try InputFile.read(image, limit: Picture.longestFile)
      let layers = try mapError(try PictureLayers(png: file)) { (_: PictureError) in
        Failure.usage("bad-mark-image", ["path": image])
      }
      visible.image = .init(
        width: layers.width, height: layers.height, colours: layers.colours, alpha: layers.alpha)
    }
    return visible
  }
}

extension VisibleMark {
  /// Its own words in a language.
  mutating func speak(_ language: Language) {
    heading = Message("mark.heading")(language)
    note = Message("mark.note")(language)
  }
}

extension VisibleMark.Page: ArgumentValue {
  init?(argument: String) {
    switch argument {
    case "first": self = .first
    case "last": self = .last
    default:
      guard let number = Int(argument), number > 0 else { return nil }
      self = .number(number)
    }
  }

  static var allArguments: [String] { ["first", "last"] }

  var argument: String {
    switch self {
    case .first: "first"
    case .last: "last"
    case .number(let number): "\(number)"
    }
  }
}

extension VisibleMark.Place: ArgumentValue {
  private static let named: [(name: String, place: VisibleMark.Place)] = [
    ("top-left", .topLeft), ("top", .top), ("top-right", .topRight), ("left", .left),
    ("center", .center), ("right", .right), ("bottom-left", .bottomLeft), ("bottom", .bottom),
    ("bottom-right", .bottomRight),
  ]

  init?(argument: String) {
    if let known = Self.named.first(where: { $0.name == argument }) {
      self = known.place
      return
    }
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) ?? .nan }
    guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else { return nil }
    self = .at(x: numbers[0], y: numbers[1])
  }

  static var allArguments: [String] { named.map(\.name) }
  static var allNamed: [VisibleMark.Place] { named.map(\.place) }

  var argument: String {
    if case .at(let x, let y) = self { return "\(x),\(y)" }
    return Self.named.first { $0.place == self }?.name ?? ""
  }
}

/// The server of time stamps, and the trust in it.
struct TimeStampChoice: Readable {
  static let title: String? = "stamp"

  let tsa: String?
  private let trust: [String]
  private let user: String?
  private let password: CodeInput
  private let issuers: [String]

  init(from inputs: inout Inputs) throws(Failure) {
    tsa = try inputs.text("tsa", help: "option.tsa", value: "url")
    trust = try inputs.texts(
      "tsa-trust", help: "option.tsa-trust", value: "path", completion: .file())
    user = try inputs.text("tsa-user", help: "option.tsa-user", value: "name")
    password = try inputs.code(.tsaPassword)
    issuers = try inputs.texts("issuer", help: "option.issuer", value: "path", completion: .file())
  }

  /// The services and the trust for a level; nil for level B.
  func raised(
    to level: SignatureLevel, in context: RunContext
  ) throws(Failure) -> RaisedLevel? {
    let server = try server(in: context)
    guard (server != nil) == (level != .b) else { throw .usage("level-without-tsa") }
    let isProved = level == .lt || level == .lta
    guard issuers.isEmpty || isProved else { throw .usage("issuer-without-level") }
    guard let server else { return nil }
    let trust = TrustSource.merged(try TrustSource.read(issuers, in: context))
    return RaisedLevel(level, server: server, issuers: trust)
  }

  /// The server; nil without `--tsa`.
  private func server(in context: RunContext) throws(Failure) -> TimeStampServer? {
    guard let tsa else { return nil }
    guard let url = try? RedirectURL(tsa) else { throw .usage("bad-tsa") }
    let sources = try TrustSource.read(trust, in: context)
    guard let store = TrustSource.merged(sources) else { throw .usage("tsa-without-trust") }
    return TimeStampServer(
      url: url, trust: store, authorization: try authorization(for: url, in: context))
  }

  /// Basic authentication (RFC 7617): the password crosses the network, so only over TLS.
  private func authorization(
    for url: RedirectURL, in context: RunContext
  ) throws(Failure) -> String? {
    guard let user else {
      guard !password.isGiven else {
        throw .usage("tsa-password-without-user")
      }
      return nil
    }
    guard url.scheme == .https else { throw .usage("tsa-password-over-http") }
    var code = try password.code(in: context)
    let secret = try code.resolve(in: context)
    let pair = Array("\(user):".utf8) + secret.withBytes { [UInt8]($0) }
    return "Basic " + String(decoding: Base64.encode(pair), as: UTF8.self)
  }
}
