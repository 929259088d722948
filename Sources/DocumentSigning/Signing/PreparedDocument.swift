public import CIECard

/// A document whose signature waits for the card: the first of the two phases.
///
/// The card signs `digest`, one command, and sees nothing else of the document; `finish` writes the signed file.
public struct PreparedDocument: Sendable {
  private let signer: PreparedSigner
  private let certificates: [Certificate]
  private let content: Content

  private enum Content: Sendable {
    case cms(HashedContent)
    case pdf(SignatureRoom, password: [UInt8])
  }

  /// The digest for the card.
  public var digest: Digest { signer.digest }

  /// CAdES-B (EN 319 122-1).
  init(
    _ content: HashedContent, _ certificate: Certificate, _ others: [Certificate], at time: UTCTime
  ) throws(DocumentError) {
    (self.content, certificates) = (.cms(content), [certificate] + others)
    signer = try PreparedSigner(certificate, signing: content.digest, at: time)
  }

  /// PAdES-B (EN 319 142-1).
  init(
    _ pdf: [UInt8], _ particulars: PDFParticulars, _ certificate: Certificate,
    _ others: [Certificate], at time: UTCTime
  ) throws(DocumentError) {
    let file = try PDFFile.open(pdf, password: particulars.password)
    let place = try SignaturePlace(particulars, SignatureField.all(of: file), in: file)
    certificates = [certificate] + others
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
    content = .pdf(room, password: particulars.password)
    signer = try PreparedSigner(certificate, signing: try room.digest(), at: nil)
  }

  /// Writes the signed file with the card's signature.
  ///
  /// - Parameters:
  ///   - assertion: the card's signature of the digest.
  ///   - extension: adds what the signature lacks for a level; nil for level B.
  ///   - write: takes the next bytes; what was written before an error is to be thrown away.
  /// - Throws: `DocumentError`; from the extension before anything is written, `contentsChanged` afterwards if the
  ///   contents are no longer those that were prepared.
  public func finish(
    _ assertion: SignedAssertion, raisedBy extension: SignatureExtension? = nil,
    write: ([UInt8]) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    try finish(signature: assertion.signature, raisedBy: `extension`, write: write)
  }

  /// The same with the signature value alone.
  package func finish(
    signature: [UInt8], raisedBy extension: SignatureExtension? = nil,
    write: ([UInt8]) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    let signer = try signer.finish(signature)
    switch content {
    case .cms(let content):
      var data = content.existing
      data.add(signer, certificates)
      if let `extension` {
        data = try `extension`.raise(data, data.signers.count - 1..<data.signers.count) {
          content.digest.bytes
        }
      }
      let frame = data.frame(contentLength: content.isAttached ? content.length : nil)
      try write(frame.head)
      // Of a detached signature the file stays where it is, and must still be the one that was hashed.
      if content.isAttached { try content.copy(to: write) } else { try content.copy() }
      try write(frame.tail)
    case .pdf(let room, let password):
      var data = SignedData()
      data.add(signer, certificates)
      let signed = try room.filled(with: data.encoded)
      try write(try `extension`?.raise(pdf: signed, password: password) ?? signed)
    }
  }
}
