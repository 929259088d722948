import CIECard
import CardWork
import DocumentSigning
import Primitives

/// A signed file of a higher level.
struct ExtendedFile: Sendable {
  let path: String
  let output: String
  let level: SignatureLevel
  let report: DocumentReport
}

/// `extend`: raises the signatures of a file to a level. It needs no card.
struct ExtensionJob: Sendable {
  let path: String
  let output: String
  /// The file to which a detached signature belongs; nil to look for it by name.
  let content: String?
  /// The password of an encrypted PDF; empty without one.
  let password: [UInt8]
  let raised: RaisedLevel
  let addition: SignatureExtension

  func run(in context: RunContext) throws(Failure) -> ExtendedFile {
    let source = try SignedFile.open(path)
    let file = try SignedFile.output(output, in: context)
    let contents = try (content ?? SignedFile.contentsBeside(path)).map {
      (path) throws(Failure) in try SignedFile.open(path)
    }
    let steps = try mapError(
      try addition.steps(for: source, content: contents, password: password)
    ) { Failure.signing($0, path: path) }
    let client = AuthorityClient(context: context, server: raised.server)
    if let error = try client.take(steps, to: file) { throw .signing(error, path: path) }
    let report = try judged(file.temporary, contents, at: context.time)
    try file.commit([])
    return ExtendedFile(
      path: path, output: output, level: raised.level, report: report)
  }

  /// Judges the result before it gets its name: nothing may be false, and a time must be proved.
  private func judged(
    _ written: String, _ contents: ByteSource?, at time: UTCTime
  ) throws(Failure) -> DocumentReport {
    do throws(DocumentError) {
      let report = try raised.judge(at: time).judge(
        try ByteSource(path: written), content: contents, password: password)
      guard report.outcome != .false, report.signatures.contains(where: { $0.stampedTime != nil })
      else { throw DocumentError.signatureFalse }
      return report
    } catch { throw .found(.unsound(path: path)) }
  }
}
