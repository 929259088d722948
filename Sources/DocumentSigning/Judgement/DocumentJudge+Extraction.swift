internal import CIECard
internal import Primitives

/// The bytes that signatures cover, written out again.
extension DocumentJudge {
  /// The contents of an attached signature, all wrappings removed.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - report: the judgement of this file, if the contents must be those that were judged.
  /// - Returns: nil for a detached signature and for a PDF.
  public func contents(
    of source: ByteSource, as report: DocumentReport? = nil
  ) throws(DocumentError) -> ContentBlocks? {
    guard case .cms(var source) = try InputForm(source) else { return nil }
    for depth in 0... {
      guard let ranges = try SignedData(source, mayGoOn: true).content else { return nil }
      guard case .cms(let inner)? = try Self.inner(source, ranges), depth < Self.deepest else {
        return try ContentBlocks(source, ranges, expecting: report?.innermost.contentHash)
      }
      source = inner
    }
    return nil
  }

  /// The revision of a PDF that a signature covers: the only complete answer to what came later.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - signature: one of the report.
  ///   - report: the judgement of this file, if the bytes must be those that were judged.
  /// - Returns: nil for a report of another kind of file.
  /// - Throws: `contentsChanged` if the bytes are other ones than those that were judged.
  public static func signedRevision(
    of source: ByteSource, _ signature: SignatureReport, as report: DocumentReport? = nil
  ) throws(DocumentError) -> [UInt8]? {
    guard let length = signature.signedLength else { return nil }
    let file = try source.bytes(0..<source.count)
    if let judged = report?.contentHash {
      guard try ByteSource(file).hash(judged.algorithm) == judged.value else {
        throw .contentsChanged
      }
    }
    return [UInt8](file.prefix(length))
  }
}
