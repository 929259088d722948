import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

/// A signed file, with the judgement of it or the reason why there is none.
struct SignedFile: Sendable {
  let path: String
  let result: Result<DocumentReport, Failure>

  /// Judges a file.
  ///
  /// - Parameters:
  ///   - content: path of the file to which a detached signature belongs; nil to look for it by name.
  ///   - password: of encrypted PDFs; empty without one.
  init(_ path: String, content: String?, password: [UInt8], _ judge: DocumentJudge) {
    self.path = path
    do throws(Failure) {
      result = .success(try Self.judge(path, content, password, judge))
    } catch { result = .failure(error) }
  }

  private static func judge(
    _ path: String, _ content: String?, _ password: [UInt8], _ judge: DocumentJudge
  ) throws(Failure) -> DocumentReport {
    let source = try open(path)
    let beside: ByteSource? =
      if let content { try open(content) } else { try contentsBeside(path).map(open) }
    do throws(JudgementError) {
      return try judge.judge(source, content: beside, password: password)
    } catch { throw .signedFile(error, path: path) }
  }

  static func open(_ path: String) throws(Failure) -> ByteSource {
    do throws(CMSError) { return try ByteSource(path: path) } catch {
      throw .signedFile(.cms(error), path: path)
    }
  }

  /// The bytes of a file, with the error of a judgement.
  static func source(_ path: String) throws(JudgementError) -> ByteSource {
    do throws(CMSError) { return try ByteSource(path: path) } catch { throw .cms(error) }
  }

  /// The file of a result, which is judged before it gets its name; so neither pipe nor device.
  static func output(_ path: String, in session: RunContext) throws(Failure) -> OutputFile {
    let file = try OutputFile(path, overwriting: session.mayOverwrite)
    guard !file.isDirect else { throw .file(.notPlain(path: path)) }
    return file
  }

  /// The path of the file beside `NAME.p7s` or `NAME.tsr` that has the name `NAME`; nil if there is none.
  static func contentsBeside(_ path: String) -> String? {
    guard [".p7s", ".tsr"].contains(path.lowercased().suffix(4)) else { return nil }
    let name = String(path.dropLast(4))
    var status = stat()
    return stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? name : nil
  }

  /// The reason why it is not proved.
  var failure: Failure? {
    switch result {
    case .success(let report): Diagnosis(report.outcome).map { .found($0) }
    case .failure(let error): error
    }
  }
}

/// Several signed files; one that cannot be judged does not hinder the others.
struct SignedFiles: Sendable {
  let files: [SignedFile]

  /// The worst of all: false, then unusable, then not checked, then the rest.
  var failure: Failure? {
    let failures = files.compactMap { $0.failure }
    return failures.min { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ failure: Failure) -> Int {
    switch Diagnosis(failure).kind {
    case .false: 0
    case .couldNotCheck: 2
    case .noSignature: 3
    case .laterBytes: 4
    case .internalFailure, .noService, .noReader, .noCard, .notACIE, .wrongCode, .blocked,
      .cardLost, .serverRefused, .notCarried, .network, .untrustedRequest, .notSignedIn, .usage,
      .interrupted:
      1
    }
  }
}
