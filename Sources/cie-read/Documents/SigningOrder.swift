import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

/// The format of signed documents, chosen once: PAdES where there are particulars of it, CAdES else.
struct DocumentFormat: Sendable {
  /// Particulars of PAdES; nil for CAdES whatever the file.
  private var pdf: PDFParticulars?
  /// True if PAdES is for names that end in `.pdf` alone.
  private let isByName: Bool
  /// True for CAdES beside the file.
  let isDetached: Bool
  /// Added to the name of a signed PDF.
  private(set) var addition = Message("sign.addition")(.english)

  static func cades(isDetached: Bool) -> DocumentFormat {
    DocumentFormat(pdf: nil, isByName: false, isDetached: isDetached)
  }
  static func pades(_ particulars: PDFParticulars) -> DocumentFormat {
    DocumentFormat(pdf: particulars, isByName: false, isDetached: false)
  }
  static func byName(_ particulars: PDFParticulars, isDetached: Bool) -> DocumentFormat {
    DocumentFormat(pdf: particulars, isByName: true, isDetached: isDetached)
  }

  /// True if every file is a PDF.
  var isOfPDFs: Bool { pdf != nil && !isByName }

  /// The particulars of PAdES for a file; nil for CAdES.
  func particulars(for path: String) -> PDFParticulars? {
    isByName && !path.hasEnding(".pdf") ? nil : pdf
  }

  /// The same for a file with a password, which an encrypted PDF needs, and in a language: the visible mark, and the
  /// name of the signed file.
  func with(password: [UInt8], in language: Language) -> DocumentFormat {
    var format = self
    format.pdf?.password = password
    format.pdf?.mark?.speak(language)
    format.addition = Message("sign.addition")(language)
    return format
  }
}

/// A file to be signed, read and found fit or not, and the place of its signed form.
struct SigningOrder: Sendable {
  let path: String
  var output: String
  /// The signed form where it stays in memory; nil for a file at the output's path.
  var memory: MemoryFile?
  /// The contents to which a detached signature belongs.
  let contents: String?
  /// The password of an encrypted PDF; empty without one.
  let password: [UInt8]
  /// About the length of the signed file.
  var outputLength: Int { (isBeside ? 0 : document?.length ?? 0) + growth }
  private let isBeside: Bool
  /// Bytes for the signature, twice a PDF's room because it is written in hexadecimal.
  private let growth: Int
  /// The document; nil if it is not fit.
  private(set) var document: UnsignedDocument?
  /// The level that its signature reached.
  var level = SignatureLevel.b
  var failure: Failure?
  /// The number of the signed file in the service, if it was written; nil for the command line.
  var upload: String??

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - place: path of its bytes, if that is not its name for people.
  ///   - beside: path of the contents of a detached signature that is elsewhere.
  ///   - folder: of the signed file; nil for a name beside the file.
  init(
    _ path: String, at place: String? = nil, beside: String? = nil, _ format: DocumentFormat,
    output: String? = nil, folder: String? = nil
  ) {
    self.path = path
    let name = path.pathName
    let pdf = format.particulars(for: path)
    let isFurther = pdf == nil && Self.isSignature(path)
    isBeside = pdf == nil && !isFurther && format.isDetached
    let suffix = pdf != nil || isFurther ? "" : isBeside ? ".p7s" : ".p7m"
    contents =
      isFurther ? beside ?? SignedFile.contentsBeside(path) : isBeside ? path : nil
    password = pdf?.password ?? []
    growth = 64 << 10 + 2 * (pdf?.room ?? 0)
    let usual = suffix.isEmpty ? Self.signedName(of: path, format.addition) : path + suffix
    self.output = output ?? folder.map { $0 + "/" + name + suffix } ?? usual
    do throws(Failure) {
      let source = try SignedFile.open(place ?? path, as: path)
      let form: UnsignedDocument.Form =
        if let pdf {
          .pdf(pdf)
        } else if isFurther {
          .further(
            contents: try contents.map { (path) throws(Failure) in try SignedFile.open(path) })
        } else {
          isBeside ? .detached : .attached
        }
      document = try mapError(try UnsignedDocument(source, as: form)) {
        Failure.signing($0, path: path)
      }
    } catch { failure = error }
  }

  /// True for a file that gets one more signer, by its name: `.p7m` and `.p7s`.
  private static func isSignature(_ path: String) -> Bool {
    path.hasEnding(".p7m") || path.hasEnding(".p7s")
  }

  /// `contract-signed.pdf` of `contract.pdf`, and of that `contract-signed-2.pdf`.
  private static func signedName(of path: String, _ addition: String) -> String {
    let (stem, ending) = parts(of: path)
    if additions.contains(where: stem.hasEnding) { return stem + "-2" + ending }
    let digits = stem.utf8.suffix(2).filter { (0x30...0x39).contains($0) }
    let rest = String(decoding: stem.utf8.dropLast(digits.count), as: UTF8.self)
    guard additions.contains(where: { rest.hasEnding($0 + "-") }),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return stem + addition + ending }
    return rest + "\(number + 1)" + ending
  }

  /// `contract-original.pdf` of `contract-signed.pdf`.
  static func originalName(of path: String) -> String {
    let (stem, ending) = parts(of: path)
    let addition = additions.first(where: stem.hasEnding) ?? ""
    return stem.dropLast(addition.count) + "-original" + ending
  }

  /// The additions to the names of signed PDFs, in all languages.
  private static var additions: [String] { Language.allCases.map { Message("sign.addition")($0) } }

  /// `contract-extended.pdf` of `contract.pdf`, `contract-extended.pdf.p7m` of `contract.pdf.p7m`.
  static func nameBeside(_ path: String, _ addition: String) -> String {
    let (stem, ending) = parts(of: path)
    return stem + addition + ending
  }

  /// The path up to the first point of the name, and the rest; a point that begins the name is part of it.
  private static func parts(of path: String) -> (stem: String, ending: String) {
    let name = path.utf8[path.namePlace...].dropFirst()
    guard let point = name.firstIndex(of: UInt8(ascii: ".")) else { return (path, "") }
    return (String(path[..<point]), String(path[point...]))
  }

  /// The files that are meant by a path: those of a folder, hidden ones left out, else the path itself.
  ///
  /// For PAdES only PDFs are taken from a folder, by their names. Links without a target, pipes and the like are among
  /// them, because each gets its error; folders are not.
  static func files(_ path: String, _ format: DocumentFormat) throws(Failure) -> [String] {
    let ending = format.isOfPDFs ? ".pdf" : ""
    guard let folder = opendir(path) else { return [path] }
    defer { closedir(folder) }
    guard let names = FolderNames.read(folder, atMost: mostFiles) else {
      throw .usage("too-many-files", ["limit": mostFiles])
    }
    return names.filter { $0.utf8.first != UInt8(ascii: ".") && $0.hasEnding(ending) }.sorted()
      .map { path + (path.hasEnding("/") ? "" : "/") + $0 }
      .filter { !$0.isFolder }
  }

  private static let mostFiles = 10_000

  /// Raises the soft limit of open files towards the hard one: each document and its signed form stay open from the
  /// first look until they are written.
  static func allowManyFiles() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(4 * mostFiles)))
    setrlimit(resource, &limit)
  }
}

/// The statement that a person reads before the PIN: the worth of the signature, the name in it, and the files.
enum SigningStatement {
  static func lines(_ orders: [SigningOrder], _ language: Language) -> [String] {
    let worth = [
      Message("sign.statement.holder"), Message("sign.statement.worth"),
      Message("sign.statement.limits"),
    ]
    return worth.map { $0(language) } + files(orders, language).map { "  " + $0 }
  }

  /// The files, each with its size and the first bytes of the digest that is signed.
  private static func files(_ orders: [SigningOrder], _ language: Language) -> [String] {
    orders.compactMap { order in
      order.document.map { line($0, order.path)(language) }
    }
  }

  /// Adds the question for a window that asks for the PIN, which has room for a few names.
  static func ask(_ count: Int, named paths: [String] = [], in context: RunContext) {
    context.purpose.add(Message("pinentry.sign", ["count": count])(context.language))
    let names = paths.map(\.pathName)
    for name in names.count > 6 ? names.prefix(5) + ["…"] : names { context.purpose.add(name) }
  }

  private static func line(_ document: UnsignedDocument, _ path: String) -> Message {
    let digest = [UInt8](document.digest.bytes.prefix(8)).hexadecimal
    return switch (document.pages, document.signatures) {
    case (nil, 0):
      Message("sign.file", ["path": path, "length": document.length, "digest": digest])
    case (nil, let count):
      Message(
        "sign.signed-file",
        ["path": path, "length": document.length, "signatures": count, "digest": digest])
    case (let pages?, 0):
      Message(
        "sign.pdf",
        ["path": path, "length": document.length, "pages": pages, "digest": digest])
    case (let pages?, let count):
      Message(
        "sign.signed-pdf",
        [
          "path": path, "length": document.length, "pages": pages, "signatures": count,
          "digest": digest,
        ])
    }
  }

  /// The name in the signatures, which the card shows only after the PIN.
  static func signer(_ certificate: Certificate) -> Message {
    let subject = certificate.subject
    // The common name of a CIE is the tax code and a number; given name and surname stand beside it.
    let names = [subject.givenName, subject.surname].compactMap { $0 }.joined(separator: " ")
    let parts = [names, subject.commonName ?? ""].filter { !$0.isEmpty }
    let name = parts.isEmpty ? subject.text : parts.joined(separator: ", ")
    return Message("sign.statement.signer", ["name": name])
  }
}
