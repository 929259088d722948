import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

/// A signed file, with the judgement of it or the reason why there is none.
struct SignedFile: Sendable {
  let path: String
  /// The path of its bytes.
  private let place: String
  /// The path of the contents of a detached signature.
  fileprivate let contents: String?
  /// The file, judged along with this one, that has its signature; nil if there is none.
  fileprivate(set) var signedIn: String?
  /// The bytes that were judged; nil if the file could not be opened. It stays open, so that its name may come to mean
  /// another file.
  private let source: ByteSource?
  let result: Result<DocumentReport, Failure>
  /// The answers of the authorities; nil without `--online`.
  let answers: AuthorityAnswers?

  /// Judges a file.
  ///
  /// - Parameters:
  ///   - place: path of its bytes, if that is not its name for people.
  ///   - content: path of the file to which a detached signature belongs; nil to look for it by name.
  ///   - password: of encrypted PDFs; empty without one.
  ///   - client: to ask for what the file lacks; nil to ask for nothing.
  init(
    _ path: String, at place: String? = nil, content: String?, password: [UInt8] = [],
    asking client: AuthorityClient? = nil, _ judge: DocumentJudge
  ) {
    let place = place ?? path
    let contents = content ?? Self.contentsBeside(place)
    (self.path, self.place, self.contents) = (path, place, contents)
    var opened: ByteSource?
    var answers = client.map { _ in AuthorityAnswers() }
    do throws(Failure) {
      let source = try Self.open(place, as: path)
      opened = source
      let beside = try contents.map { (path) throws(Failure) in
        try Self.open(path)
      }
      func failure(_ error: DocumentError) -> Failure { .signedFile(error, path: path) }
      if let client {
        var inquiry = try mapError(
          try judge.inquiry(
            about: source, content: beside, password: password,
            asking: RevocationService(at: client.context.time)), failure)
        while let request = inquiry.next() {
          try client.take(request, for: &inquiry.authorities)
        }
        answers = AuthorityAnswers(
          list: inquiry.authorities.answers, unasked: inquiry.authorities.unasked)
        result = .success(inquiry.report)
      } else {
        result = .success(
          try mapError(
            try judge.judge(source, content: beside, password: password), failure))
      }
    } catch { result = .failure(error) }
    source = opened
    self.answers = answers
  }

  /// A file that cannot be judged.
  init(_ path: String, failing failure: Failure) {
    (self.path, place, contents, source, answers) = (path, path, nil, nil, nil)
    result = .failure(failure)
  }

  /// - Parameter name: for people; nil for the path.
  static func open(_ path: String, as name: String? = nil) throws(Failure) -> ByteSource {
    try mapError(try ByteSource(path: path)) { Failure.signedFile($0, path: name ?? path) }
  }

  /// The file of a result, which is judged before it gets its name; so neither pipe nor device.
  static func output(_ path: String, in context: RunContext) throws(Failure) -> OutputFile {
    let file = try OutputFile(path, overwriting: context.mayOverwrite)
    guard !file.isDirect else { throw .file(.notPlain(path: path)) }
    return file
  }

  /// `NAME` of `NAME.p7s` and `NAME.tsr`; nil for other paths.
  static func detachedName(_ path: String) -> String? {
    guard path.hasEnding(".p7s") || path.hasEnding(".tsr") else { return nil }
    return String(path.unicodeScalars.dropLast(4))
  }

  /// The path of the file beside `NAME.p7s` or `NAME.tsr` that has the name `NAME`; nil if there is none.
  static func contentsBeside(_ path: String) -> String? {
    guard let name = detachedName(path) else { return nil }
    var status = stat()
    return stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? name : nil
  }

  /// True for the detached signature of a file.
  fileprivate func signs(_ file: SignedFile) -> Bool {
    guard let report = try? result.get(), report.form == .detached,
      contents?.isSamePath(as: file.place) == true
    else { return false }
    return report.signatures.contains { $0[.contents] == .proved }
  }

  /// True if no signature is inside.
  fileprivate var isBare: Bool { (try? result.get())?.signatures.isEmpty != false }

  var failure: Failure? {
    switch result {
    case .success(let report): Diagnosis(report).map { .found($0) }
    case .failure(let error): error
    }
  }
}

extension SignedFile {
  /// Writes the contents of an attached signature, all signatures around them removed.
  ///
  /// - Throws: `contentsChanged` if they are not those that were judged.
  func extractContents(
    _ report: DocumentReport, to file: OutputFile
  ) throws(Failure) {
    func failure(_ error: DocumentError) -> Failure { .signedFile(error, path: path) }
    guard let source,
      var blocks = try mapError(
        try DocumentJudge(trust: nil).contents(of: source, as: report), failure)
    else { throw failure(.noContents) }
    while let block = try mapError(try blocks.next(), failure) { try file.write(block) }
    try file.commit([])
  }

  /// Writes the PDF as its newest signature covers it.
  ///
  /// - Throws: `contentsChanged` if these are not the bytes that were judged.
  func extractSigned(
    _ report: DocumentReport, to file: OutputFile
  ) throws(Failure) {
    let newest = report.signatures.max { ($0.signedLength ?? 0) < ($1.signedLength ?? 0) }
    func failure(_ error: DocumentError) -> Failure { .signedFile(error, path: path) }
    guard let newest, let source,
      let bytes = try mapError(
        try DocumentJudge.signedRevision(of: source, newest, as: report), failure)
    else { throw failure(.noContents) }
    try file.commit(bytes)
  }
}

/// Several signed files; one that cannot be judged does not hinder the others.
struct SignedFiles: Sendable {
  let files: [SignedFile]
  /// The time of the judgement.
  let present: PresentTime

  init(files: [SignedFile], present: PresentTime) {
    let detached = files.filter { $0.contents != nil }
    self.files = files.map { file in
      var file = file
      file.signedIn = file.isBare ? detached.first { $0.signs(file) }?.path : nil
      return file
    }
    self.present = present
  }

  /// The worst of all: false, then unusable, then a wrong clock, then not checked, then the rest. For a file whose signature
  /// is in another one, that one answers.
  var failure: Failure? {
    let failures = files.filter { $0.signedIn == nil }.compactMap { $0.failure }
    let worst = failures.min { Self.rank($0) < Self.rank($1) }
    if let worst, Self.rank(worst) < 2 { return worst }
    return present.problem().map { .found($0) } ?? worst
  }

  private static func rank(_ failure: Failure) -> Int { Diagnosis(failure).kind.consequences.rank }
}
