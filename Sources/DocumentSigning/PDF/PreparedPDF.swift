public import CIECard
internal import Primitives

/// A PAdES-B signature of a PDF that waits for the card (EN 319 142-1): an incremental update with a
/// signature in a new field or in the one that the document has for it, with or without a visible mark.
public struct PreparedPDF: Sendable {
  /// The signer; its digest is for the card.
  public let signer: PreparedSigner
  /// The name of the signature field.
  public let field: String
  private let reserved: SignatureRoom
  let password: [UInt8]
  private let certificates: [Certificate]

  /// Particulars of a signature that the signer states.
  public struct Particulars: Sendable, Equatable {
    /// Name of the field to be used; nil for the only empty one, or else a new one.
    public var field: String?
    /// Reason for signing.
    public var reason: String?
    /// Place of signing.
    public var location: String?
    /// A mark that shows the signature; nil for an invisible one.
    public var mark: VisibleMark?
    /// Password of an encrypted document, the user's or the owner's; empty without one.
    public var password: [UInt8] = []
    /// Bytes that are reserved for the signature: enough for a time stamp to come.
    public var room = 16 << 10

    /// Nothing stated.
    public init() {}
  }

  /// Prepares a signature.
  ///
  /// - Parameters:
  ///   - pdf: the document, read into memory.
  ///   - certificate: the signer's.
  ///   - others: certificates of its issuers, to go into the file as well.
  ///   - particulars: field, reason, location.
  ///   - time: the signer's word.
  /// - Throws: `PDFError`, before the card is needed.
  public init(
    _ pdf: ByteSource, certificate: Certificate, others: [Certificate] = [],
    particulars: Particulars = Particulars(), at time: UTCTime = .now
  ) throws(PDFError) {
    let file = try PDFFile.open(Self.read(pdf), password: particulars.password)
    let place = try Self.place(particulars, SignatureField.all(of: file), in: file)
    field = place.name

    var appearance: MarkAppearance?
    if let mark = particulars.mark, let placement = place.mark {
      appearance = MarkAppearance(
        placement, mark.image, lines: mark.lines(certificate, particulars, at: time))
    }
    reserved = try SignatureRoom(particulars, place, appearance, in: file, at: time)
    password = particulars.password
    self.certificates = [certificate] + others
    do throws(CMSError) {
      let digest = Digest(.sha256, bytes: try reserved.digest())
      guard let digest else { throw .unusableCertificate }
      signer = try PreparedSigner(certificate, signing: digest, at: nil)
    } catch { throw .cms(error) }
    let needed = signer.encodedLength + certificates.reduce(256) { $0 + $1.der.count }
    guard needed <= particulars.room else {
      throw .refused(.room(needed: needed, given: particulars.room))
    }
  }

  /// The signed file.
  ///
  /// - Parameter assertion: the card's, of `signer.digest`.
  /// - Throws: `PDFError`.
  public consuming func finish(_ assertion: SignedAssertion) throws(PDFError) -> [UInt8] {
    try finish(signature: assertion.signature)
  }

  /// The same with the signature value alone.
  package consuming func finish(signature: [UInt8]) throws(PDFError) -> [UInt8] {
    let parts: SignedDataParts
    do throws(CMSError) {
      parts = SignedDataParts(
        adding: try signer.finish(signature), certificates: certificates, to: nil)
    } catch { throw .cms(error) }
    let frame = CMSFrame(parts, contentLength: nil)
    return try reserved.filled(with: frame.head + frame.tail)
  }

  static func read(_ pdf: ByteSource) throws(PDFError) -> [UInt8] {
    guard pdf.count <= PDFFile.largest else { throw .tooLarge(limit: PDFFile.largest) }
    do throws(CMSError) { return try pdf.bytes(0..<pdf.count) } catch { throw .cms(error) }
  }

  /// Checks everything that does not depend on the signer.
  ///
  /// - Returns: the number of pages, and of signatures.
  static func inspect(
    _ pdf: ByteSource, _ particulars: Particulars
  ) throws(PDFError) -> (pages: Int, signatures: Int) {
    let file = try PDFFile.open(read(pdf), password: particulars.password)
    let fields = SignatureField.all(of: file)
    _ = try place(particulars, fields, in: file)
    return (file.root["Pages"]["Count"].integer ?? 0, fields.count { $0.signature != nil })
  }

  /// The place of a signature.
  struct Place {
    /// The empty field to be used; nil for a new one.
    let target: SignatureField?
    /// The name of the field.
    let name: String
    /// The place of the visible mark; nil without one.
    let mark: MarkPlacement?
  }

  private static func place(
    _ particulars: Particulars, _ fields: [SignatureField], in file: PDFFile
  ) throws(PDFError) -> Place {
    try SigningPermission.check(file, fields)
    let target = try target(particulars.field, fields)
    let name = target?.name ?? newName(in: file, particulars.field)
    try SigningPermission.check(name, target, among: fields)
    let mark = try particulars.mark.map { (mark) throws(PDFError) in
      try MarkPlacement(mark, in: target, of: file)
    }
    try file.check()
    return Place(target: target, name: name, mark: mark)
  }

  /// The empty field to be used; nil for a new one.
  private static func target(
    _ name: String?, _ fields: [SignatureField]
  ) throws(PDFError) -> SignatureField? {
    let empty = fields.filter { $0.signature == nil && $0.object["V"].isNull }
    if let name {
      if let found = empty.first(where: { $0.name == name }) { return found }
      guard !fields.contains(where: { $0.name == name }), !name.contains(".") else {
        throw .refused(.noSuchField(name))
      }
      return nil
    }
    guard empty.count <= 1 else { throw .refused(.severalFields(empty.map { $0.name })) }
    return empty.first
  }

  static func newName(in file: PDFFile, _ wish: String?) -> String {
    if let wish { return wish }
    let taken = SignatureField.names(of: file)
    return (1...taken.count + 1).lazy.map { "Signature\($0)" }.first { !taken.contains($0) } ?? ""
  }
}
