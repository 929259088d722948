import CIECard
import CardWork
import DocumentSigning
import Primitives

/// A signed file with a time stamp.
struct ExtendedFile: Sendable {
  let path: String
  let output: String
  let report: DocumentReport
}

/// `extend`: adds time stamps to a signed file (level T). It needs no card.
struct ExtensionJob: Sendable {
  let path: String
  let output: String
  /// The password of an encrypted PDF; empty without one.
  let password: [UInt8]
  let server: TimeStampServer

  func run(in session: RunContext) throws(Failure) -> ExtendedFile {
    let source = try SignedFile.open(path)
    let file = try SignedFile.output(output, in: session)
    let obstacle = TimeStampObstacle()
    var failure: Failure?
    do throws(SigningError) {
      try StampedFile.write(
        source, stampedBy: server.authority(in: session, obstacle), password: password
      ) { (block) throws(CMSError) in
        do throws(Failure) { try file.write(block) } catch {
          failure = error
          throw .noContents
        }
      }
    } catch { throw failure ?? obstacle.failure(error, path: path) }
    let report = try judged(file.temporary, at: session.time)
    try file.commit([])
    return ExtendedFile(path: path, output: output, report: report)
  }

  /// Judges the result before it gets its name: nothing may be false, and a time must be proved.
  private func judged(_ written: String, at time: UTCTime) throws(Failure) -> DocumentReport {
    let judge = DocumentJudge(trust: nil, authorities: server.trust, at: time)
    let contents = try SignedFile.contentsBeside(path).map { (path) throws(Failure) in
      try SignedFile.open(path)
    }
    do throws(JudgementError) {
      let report = try judge.judge(
        try SignedFile.source(written), content: contents, password: password)
      guard report.outcome != .false, report.signatures.contains(where: { $0.stampedTime != nil })
      else { throw JudgementError.cms(.signatureFalse) }
      return report
    } catch { throw .found(.unsound(path: path)) }
  }
}
