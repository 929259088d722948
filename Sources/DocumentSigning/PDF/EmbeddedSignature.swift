internal import CIECard
internal import Primitives

/// A signature of a PDF as it stands in the file: its field, its bytes, what it covers (ISO 32000-2
/// §12.8.1).
struct EmbeddedSignature {
  let field: String
  /// SubFilter; empty if it is absent.
  let format: String
  /// The signature, with the rest of its room.
  let contents: [UInt8]
  /// ByteRange as it stands there; -1 for what is no number.
  let ranges: [Int]
  /// M, if it can be read: the signer's word.
  let claimedTime: UTCTime?
  private(set) var coverage: Coverage
  /// Number of bytes after the signed revision.
  private(set) var laterBytes = 0
  /// The content of these bytes.
  var laterContent = LaterContent.none
  /// The numbers of the signature dictionaries that must be right for that content.
  private(set) var laterSignatures: Set<Int> = []
  /// The number of the signature dictionary; nil for a direct one.
  let number: Int?

  /// True if the author certified the document and allows no change (DocMDP with P 1; ISO 32000-2 table 257).
  private let forbidsChanges: Bool
  private let locks: [FieldLock]

  /// True if this signature allows a later one. Time stamps and evidence are no change (ISO 32000-2 §12.8.2.2).
  func allows(_ later: EmbeddedSignature) -> Bool {
    later.isTimeStamp || !forbidsChanges && !locks.contains { $0.covers(later.field) }
  }

  /// False for PAdES, which has the time outside of the signature (EN 319 142-1 §6.3).
  var mayHaveTime: Bool { format != "ETSI.CAdES.detached" }
  /// True for a time stamp of the document (ISO 32000-2 §12.8.5).
  var isTimeStamp: Bool { format == "ETSI.RFC3161" }
  /// The end of the covered bytes; nil if the coverage is wrong.
  var end: Int? { coverage.ranges?.last?.upperBound }
  /// The place of the hexadecimal digits of Contents; nil if the coverage is wrong.
  var contentsStart: Int? { coverage.ranges?.first.map { $0.upperBound + 1 } }
  /// The signature, taken apart; nil if it cannot be.
  var signedData: SignedData? { try? SignedData(ByteSource(contents), mayGoOn: true) }
  /// The signer of a detached signature; a PDF's has one.
  var signer: SignerInfo? {
    guard let data = signedData, data.content == nil, data.signers.count == 1 else { return nil }
    return data.signers.first
  }

  /// The signatures in the fields of a document as it is now.
  static func all(of file: PDFFile) throws(DocumentError) -> [EmbeddedSignature] {
    var signatures = SignatureField.all(of: file).compactMap { field in
      field.signature.map { EmbeddedSignature(field.name, $0, in: file) }
    }
    try file.check()
    guard signatures.count <= SignedData.mostSigners else {
      throw .tooManySignatures(limit: SignedData.mostSigners)
    }
    guard let first = signatures.compactMap(\.end).min(), first < file.bytes.count else {
      return signatures
    }
    let revisions = PDFRevisions(of: file, behind: first)
    for index in signatures.indices { signatures[index].checkRevision(of: file, revisions) }
    return signatures
  }

  private init(_ field: String, _ signature: PDFObject, in file: PDFFile) {
    self.field = field
    number = signature.isIndirect ? signature.number : nil
    forbidsChanges = (signature["Reference"].items ?? []).contains { reference in
      reference["TransformMethod"].name == "DocMDP"
        && reference["TransformParams"]["P"].integer == 1
    }
    locks = FieldLock.all(of: signature)
    format = signature["SubFilter"].name ?? ""
    ranges = signature["ByteRange"].items?.map { $0.integer ?? -1 } ?? []
    contents = Self.contents(of: signature, in: file, end: ranges.suffix(2).reduce(0, &+))
    claimedTime = signature["M"].string.flatMap { Self.time($0) }
    coverage = Coverage(ranges, contents, file.bytes)
  }

  /// The value of Contents, which is in clear in an encrypted file (ISO 32000-2 §7.6.2). qpdf decrypts it in dictionaries of
  /// another Type than Sig, as time stamps of a document have.
  ///
  /// - Parameter end: the end of the signed revision, for a file whose last bytes are no revision.
  private static func contents(of signature: PDFObject, in file: PDFFile, end: Int) -> [UInt8] {
    let value = signature["Contents"].string ?? []
    guard file.isEncrypted, signature.isIndirect, signature["Type"].name != "Sig" else {
      return value
    }
    let chain =
      (try? RevisionChain(file.bytes, end: file.bytes.count))
      ?? (try? RevisionChain(file.bytes, end: end))
    guard case .string(let clear)? = try? chain?.object(signature.number)?.value["Contents"] else {
      return value
    }
    return clear
  }

  /// Checks that the covered bytes alone are a PDF with this signature, if more bytes follow them.
  private mutating func checkRevision(of file: PDFFile, _ revisions: PDFRevisions) {
    guard let end, end < file.bytes.count else { return }
    guard (try? isThere(in: file, end)) == true else {
      coverage = .fault(.revision)
      return
    }
    laterBytes = file.bytes.count - end
    (laterContent, laterSignatures) = revisions.content(behind: end)
  }

  private func isThere(in file: PDFFile, _ end: Int) throws(DocumentError) -> Bool {
    let revision = try PDFFile.open(
      [UInt8](file.bytes.prefix(end)), password: file.password, isStrict: false)
    let isThere = SignatureField.all(of: revision).contains { field in
      field.name == self.field
        && field.signature.map { Self.contents(of: $0, in: revision, end: end) } == contents
    }
    try revision.check()
    return isThere
  }

  /// `D:YYYYMMDDHHmmSS` and the difference to UTC (ISO 32000-2 §7.9.4); nil for shorter dates.
  private static func time(_ text: [UInt8]) -> UTCTime? {
    guard text.starts(with: "D:".utf8), text.count >= 16,
      let local = UTCCalendar.seconds(of: text[2..<16]), let zone = zone(text[16...])
    else { return nil }
    return UTCTime(seconds: local - zone)
  }

  /// `Z`, or `+HH'mm'` with or without the last apostrophe; in seconds.
  private static func zone(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let sign = text.first, sign != UInt8(ascii: "Z") else { return 0 }
    guard [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) else { return nil }
    let digits = text.dropFirst().filter { $0 != UInt8(ascii: "'") }.map { Int64($0) - 0x30 }
    guard digits.count == 4 || digits.count == 2, digits.allSatisfy({ (0...9).contains($0) }) else {
      return nil
    }
    let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
    let offset = (digits[0] * 10 + digits[1]) * 3600 + minutes * 60
    return sign == UInt8(ascii: "+") ? offset : -offset
  }
}

/// The content of a PDF after the revision that a signature covers.
public enum LaterContent: String, Sendable, Equatable {
  /// The signature covers the whole file.
  case none
  /// Nothing but further signatures, time stamps and evidence: no page looks different, but for the field that the document
  /// had for such a signature.
  case signatures
  /// The same, and a further signature shows itself on a page in a field that the document did not have.
  case signaturesShown = "signatures-shown"
  /// Something else, or a change that could be something else.
  case other

  /// True if pages may look different from those that were signed: also a picture in a new signature field may cover them.
  var isMore: Bool {
    switch self {
    case .none, .signatures: false
    case .signaturesShown, .other: true
    }
  }
}
