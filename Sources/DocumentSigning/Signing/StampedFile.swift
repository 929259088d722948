internal import Primitives

/// A signed file that gets time stamps later, without the card: level T (EN 319 122-1 §6, EN 319 142-1 §6).
public enum StampedFile {
  /// Writes a signed file with a time stamp beside each signature that has none; of a PDF, beside the newest signature,
  /// in the room that was kept for it.
  ///
  /// - Parameters:
  ///   - source: the file, in any form of CMS, or a PDF.
  ///   - authority: asked once for each signature.
  ///   - password: of an encrypted PDF.
  ///   - write: takes the next bytes; what was written before an error is to be thrown away.
  /// - Throws: `SigningError`.
  public static func write(
    _ source: ByteSource, stampedBy authority: TimeStampAuthority, password: [UInt8] = [],
    to write: ([UInt8]) throws(CMSError) -> Void
  ) throws(SigningError) {
    let form: InputForm
    do throws(JudgementError) { form = try InputForm(source) } catch { throw .input(error) }
    switch form {
    case .cms(let signed): try stamp(signed, authority, write)
    case .pdf(let pdf):
      let bytes = try stamped(pdf, authority, password)
      try SigningError.reading { () throws(CMSError) in try write(bytes) }
    }
  }

  private static func stamp(
    _ source: ByteSource, _ authority: TimeStampAuthority,
    _ write: ([UInt8]) throws(CMSError) -> Void
  ) throws(SigningError) {
    let data = try SigningError.reading { () throws(CMSError) in try SignedData(source) }
    guard data.signers.contains(where: { $0.timeStamp == nil }) else { throw .nothingToStamp }
    let signers = try data.signers.map { (signer) throws(SigningError) in
      signer.timeStamp == nil ? try stamped(signer, authority) : signer
    }
    let frame = CMSFrame(rewriting: data, signers: signers)
    try SigningError.reading { () throws(CMSError) in
      try write(frame.head)
      if let ranges = data.content { try source.forEachBlock(of: ranges, write) }
      try write(frame.tail)
    }
  }

  private static func stamped(
    _ signer: SignerInfo, _ authority: TimeStampAuthority
  ) throws(SigningError) -> SignerInfo {
    let token: [UInt8]
    do throws(TimeStampError) { token = try authority.token(for: signer.signature) } catch {
      throw .timeStamp(error)
    }
    return try SigningError.reading { () throws(CMSError) in try signer.stamped(with: token) }
  }

  /// Contents of the newest signature is the only place that no signature covers.
  private static func stamped(
    _ pdf: ByteSource, _ authority: TimeStampAuthority, _ password: [UInt8]
  ) throws(SigningError) -> [UInt8] {
    let signatures: [EmbeddedSignature]
    do throws(PDFError) {
      signatures = try EmbeddedSignature.all(in: pdf, password: password)
    } catch { throw .pdf(error) }
    let newest = signatures.lazy.compactMap { signature in
      (try? signature.coverage.get()).map { (signature.contents, $0.ranges, $0.end) }
    }.first { $0.2 == pdf.count }
    guard let (contents, ranges, _) = newest else { throw .nothingToStamp }
    let data = try SigningError.reading { () throws(CMSError) in
      try SignedData(ByteSource(contents), mayBePadded: true)
    }
    guard data.signers.count == 1, data.content == nil, let signer = data.signers.first,
      signer.timeStamp == nil
    else { throw .nothingToStamp }
    let frame = CMSFrame(rewriting: data, signers: [try stamped(signer, authority)])
    let digits = [UInt8]((frame.head + frame.tail).hexadecimal.utf8)
    guard digits.count <= 2 * contents.count else {
      throw .pdf(.refused(.room(needed: digits.count / 2, given: contents.count)))
    }
    var bytes = try SigningError.reading { () throws(CMSError) in try pdf.bytes(0..<pdf.count) }
    // Behind the angle bracket, with zeros up to the other one.
    let start = ranges[0].upperBound + 1
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 2 * contents.count - digits.count)
    bytes.replaceSubrange(start..<start + 2 * contents.count, with: digits + zeros)
    return bytes
  }
}
