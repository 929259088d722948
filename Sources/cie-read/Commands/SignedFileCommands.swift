import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// `cie-read check`: judges signed files, without card or reader.
struct CheckCommand: CardCommand {
  static let configuration = CommandConfiguration("check", "command.check")

  @Argument(help: .text("option.check.files", value: "file"), completion: .file()) var files:
    [String] = []
  @Option(help: .text("option.check.content", value: "file"), completion: .file())
  var content: String?
  @Option(help: .text("option.check.extract", value: "file"), completion: .file())
  var extract: String?
  @Option(help: .text("option.check.extract-signed", value: "file"), completion: .file())
  var extractSigned: String?
  @Option(help: .text("option.check.trust", value: "path"), completion: .file())
  var trust: [String] = []
  @Option(name: "tsa-trust", help: .text("option.tsa-trust", value: "path"), completion: .file())
  var authorities: [String] = []
  @Flag(help: .text("option.check.online")) var online = false
  @OptionGroup var password: PDFPasswordOptions
  @Flag(help: .text("option.stay")) var stay = false
  @OptionGroup var overwriting: Part<Overwriting>
  @OptionGroup var output: OutputOptions

  var staysOpen: Bool { stay }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard !files.isEmpty else { throw .usage("missing-option", key: "missing-signed-file") }
    let isAboutOne = content != nil || extract != nil || extractSigned != nil
    guard !isAboutOne || files.count == 1 else { throw .usage("one-file-option") }
    // There are no built-in issuers of signers.
    let issuers = TrustSource.merged(try TrustSource.read(trust, in: context))
    let authorities = TrustSource.merged(try TrustSource.read(authorities, in: context))
    let judge = DocumentJudge(
      trust: issuers, authorities: authorities, at: context.time,
      notBefore: context.present.earliest)
    let contents = try OutputFile.made(extract, overwriting: context.mayOverwrite)
    let revision = try OutputFile.made(extractSigned, overwriting: context.mayOverwrite)
    let password = try password.password(in: context)
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
    return CommandOutcome(SignedFiles(files: checked, present: context.present), context.language)
  }
}

/// `cie-read extend`: raises the signatures of a file to a level, without the card.
struct ExtendCommand: CardCommand {
  static let configuration = CommandConfiguration("extend", "command.extend")

  @Argument(help: .text("option.extend.file", value: "file"), completion: .file())
  var files: [String] = []
  @Option(help: .text("option.extend.out", value: "file"), completion: .file()) var out: String?
  @Option(help: .text("option.extend.level", value: "level")) var level = SignatureLevel.t
  @Option(help: .text("option.check.content", value: "file"), completion: .file())
  var content: String?
  @OptionGroup var password: PDFPasswordOptions
  @OptionGroup var stamps: TimeStampOptions
  @OptionGroup var overwriting: Part<Overwriting>
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard let path = files.first, files.count == 1 else {
      throw .usage("missing-option", key: "missing-signed-file")
    }
    guard let raised = try stamps.raised(to: level, in: context),
      let addition = raised.addition(at: context.time)
    else { throw .usage("level-b-of-extend") }
    let job = ExtensionJob(
      path: path, output: out ?? SigningOrder.nameBeside(path, "-extended"),
      content: content, password: try password.password(in: context), raised: raised,
      addition: addition)
    return CommandOutcome(try job.run(in: context), context.language)
  }
}
