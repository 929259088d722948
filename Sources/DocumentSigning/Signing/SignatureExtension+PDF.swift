internal import CIECard
internal import Primitives

/// Levels of signatures in PDFs: each addition is an incremental update, but for a time stamp in the room of the newest
/// signature.
extension SignatureExtension {
  /// Adds what the signatures of a PDF lack for the level.
  func raise(pdf: [UInt8], password: [UInt8]) throws(DocumentError) -> [UInt8] {
    var pdf = try stamped(pdf, password)
    guard level >= .lt else { return pdf }
    pdf = try proven(pdf, password)
    return level >= .lta ? try documentStamped(pdf, password) : pdf
  }

  /// A time stamp in the newest signature, whose Contents no signature covers; one of the whole document if there is no
  /// room for it, or if bytes follow. An authority is not asked for one that is likely not to fit, because each may be sold.
  private func stamped(_ pdf: [UInt8], _ password: [UInt8]) throws(DocumentError) -> [UInt8] {
    let all = try EmbeddedSignature.all(
      of: PDFFile.open(pdf, password: password, isStrict: false))
    let stamps = all.compactMap { $0.isTimeStamp ? $0.end : nil }
    let bare = all.filter { signature in
      !signature.isTimeStamp && signature.signer?.timeStamp == nil
        && !stamps.contains { $0 > signature.end ?? 0 }
    }
    guard !bare.isEmpty else {
      guard level > .t, all.contains(where: { !$0.isTimeStamp }) else { throw .nothingToStamp }
      return pdf
    }
    guard bare.count == 1, bare[0].end == pdf.count,
      let start = bare[0].contentsStart, var data = bare[0].signedData, let signer = bare[0].signer,
      bare[0].contents.count - data.encoded.count >= SignatureRoom.ofTimeStamp
    else { return try documentStamped(pdf, password) }
    let room = 2 * bare[0].contents.count
    data.signers = [
      try signer.adding(CMSObject.timeStampToken, try authority.token(for: signer.signature))
    ]
    let digits = [UInt8](data.encoded.hexadecimal.utf8)
    guard digits.count <= room else { return try documentStamped(pdf, password) }
    // Zeros up to the closing angle bracket.
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: room - digits.count)
    var bytes = pdf
    bytes.replaceSubrange(start..<start + room, with: digits + zeros)
    return bytes
  }

  /// The certificates and the evidence of every signature in the document security store.
  private func proven(_ pdf: [UInt8], _ password: [UInt8]) throws(DocumentError) -> [UInt8] {
    let file = try PDFFile.open(pdf, password: password)
    let store = SecurityStore(file)
    var added = SecurityStore()
    for signature in try EmbeddedSignature.all(of: file) {
      var known = store
      known.add(added)
      if signature.isTimeStamp {
        let token = try TimeStampToken(signature.contents, mayBePadded: true)
        added.add(try proof(of: token, known.evidence))
      } else if let data = signature.signedData, let signer = signature.signer {
        known.add(SecurityStore(data.certificates))
        added.add(try proof(of: signer, known))
      }
    }
    return try store.updated(with: added, in: file)
  }

  /// A time stamp of the document (ISO 32000-2 §12.8.5) in an update.
  private func documentStamped(
    _ pdf: [UInt8], _ password: [UInt8]
  ) throws(DocumentError) -> [UInt8] {
    let file = try PDFFile.open(pdf, password: password)
    var room = try SignatureRoom(SignatureRoom.ofTimeStamp, stamping: file)
    var token = try authority.token(imprint: room.digest().bytes)
    if token.count > SignatureRoom.ofTimeStamp {
      // Asked once more, with room for a token of this length.
      room = try SignatureRoom(token.count + 1024, stamping: file)
      token = try authority.token(imprint: room.digest().bytes)
    }
    return try room.filled(with: token)
  }
}
