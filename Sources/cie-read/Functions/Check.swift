import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// `check`: judges signed files, without card or reader.
struct Check: FunctionWithoutCard {
  static let name = "check"

  let files: [String]
  let content: String?
  let extract: String?
  let extractSigned: String?
  let trust: [String]
  let authorities: [String]
  let online: Bool
  let password: PDFPassword

  func run(in context: RunContext) throws(Failure) -> SignedFiles {
    guard !files.isEmpty else { throw .usage("missing-option", key: "missing-signed-file") }
    let isAboutOne = content != nil || extract != nil || extractSigned != nil
    guard !isAboutOne || files.count == 1 else { throw .usage("one-file-option") }
    // There are no built-in issuers of signers.
    let issuers = TrustSource.merged(try TrustSource.read(trust, in: context))
    let authorities = TrustSource.merged(try TrustSource.read(authorities, in: context))
    let judge = DocumentJudge(
      trust: issuers, authorities: authorities,
      services: TrustedListFolder.services(in: context), at: context.time,
      notBefore: context.present.earliest)
    let contents = try OutputFile.made(extract, overwriting: context.mayOverwrite)
    let revision = try OutputFile.made(extractSigned, overwriting: context.mayOverwrite)
    let password = try password.bytes(in: context)
    var checked: [SignedFile] = []
    for path in files {
      // The budget of requests is that of one file.
      let client = online ? AuthorityClient(context: context) : nil
      let file = SignedFile(path, content: content, password: password, asking: client, judge)
      if let end = file.failure, end.isInterruption { throw end }
      checked.append(file)
    }
    if let first = checked.first, case .success(let report) = first.result,
      report.outcome != .false
    {
      try contents.map { (file) throws(Failure) in try first.extractContents(report, to: file) }
      try revision.map { (file) throws(Failure) in try first.extractSigned(report, to: file) }
    }
    return SignedFiles(files: checked, present: context.present)
  }
}

extension Check {
  typealias Result = SignedFiles

  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.check.files", value: "file", completion: .file())
    content = try inputs.text(
      "content", help: "option.check.content", value: "file", completion: .file())
    extract = try inputs.text(
      "extract", help: "option.check.extract", value: "file", completion: .file())
    extractSigned = try inputs.text(
      "extract-signed", help: "option.check.extract-signed", value: "file", completion: .file())
    trust = try inputs.texts(
      "trust", help: "option.check.trust", value: "path", completion: .file())
    authorities = try inputs.texts(
      "tsa-trust", help: "option.tsa-trust", value: "path", completion: .file())
    online = try inputs.flag("online", help: "option.check.online")
    password = try inputs.part()
    try inputs.stay()
    _ = try inputs.part(Overwriting.self)
  }
}
