internal import CIECard

/// PAdES-B (EN 319 142-1).
struct PDFToSign: SignableContent {
  private let source: ByteSource
  private let particulars: PDFParticulars
  let digest: Digest
  let pages: Int?
  let signatures: Int

  /// Checks that a document can be signed.
  init(_ source: ByteSource, _ particulars: PDFParticulars) throws(DocumentError) {
    (self.source, self.particulars) = (source, particulars)
    digest = try source.digest()
    let file = try PDFFile.open(PDFFile.read(source), password: particulars.password)
    let fields = SignatureField.all(of: file)
    _ = try SignaturePlace(particulars, fields, in: file)
    try particulars.checkText()
    pages = file.root["Pages"]["Count"].integer ?? 0
    signatures = fields.count { $0.signature != nil }
  }

  func prepared(
    for certificate: Certificate, _ others: [Certificate], at time: UTCTime
  ) throws(DocumentError) -> PreparedDocument {
    // One reading for the comparison and the signature.
    let bytes = try source.bytes(0..<source.count)
    guard try ByteSource(bytes).digest() == digest else { throw .contentsChanged }
    let file = try PDFFile.open(bytes, password: particulars.password)
    let place = try SignaturePlace(particulars, SignatureField.all(of: file), in: file)
    let certificates = [certificate] + others
    // As long as the signed one, whatever the digest.
    var blank = SignedData()
    blank.add(
      try PreparedSigner(certificate, signing: ByteSource([]).digest(), at: nil).unsigned(),
      certificates)
    let needed = blank.encoded.count
    // Of an encrypted file always: programs on qpdf decrypt the Contents of a time stamp of the document, which are not
    // encrypted (ISO 32000-2 §7.6.2), so that they understand the time in a signature alone.
    let mayBeStamped = particulars.isStamped || file.isEncrypted
    let length = particulars.room ?? needed + (mayBeStamped ? SignatureRoom.ofTimeStamp : 0)
    guard needed <= length else { throw .refused(.room(needed: needed, given: length)) }
    let room = try SignatureRoom(
      length, particulars, place, try particulars.appearance(at: place.mark, certificate, time),
      in: file, at: time)
    return PreparedDocument(
      try PreparedSigner(certificate, signing: try room.digest(), at: nil), certificates,
      in: PDFWithRoom(room: room, password: particulars.password))
  }
}

/// A PDF with room for its signature.
private struct PDFWithRoom: SignaturePlacement {
  let room: SignatureRoom
  let password: [UInt8]

  func finished(
    _ signer: SignerInfo, _ certificates: [Certificate], raisedBy extension: SignatureExtension?
  ) throws(DocumentError) -> SigningSteps {
    var data = SignedData()
    data.add(signer, certificates)
    let pdf = try room.filled(with: data.encoded)
    return SigningSteps(
      `extension`.map { .pdf(PDFRaising(pdf, password: password, $0)) } ?? .raisedPDF(pdf),
      `extension`?.service)
  }
}
