import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

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
  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    guard let path = files.first, files.count == 1 else {
      throw .usage("missing-option", key: "missing-signed-file")
    }
    guard let raised = try stamps.raised(to: level, in: session) else {
      throw .usage("level-b-of-extend")
    }
    let job = ExtensionJob(
      path: path, output: out ?? SigningOrder.nameBeside(path, "-extended"),
      content: content, password: try password.password(in: session), raised: raised)
    return CommandOutcome(try job.run(in: session), session.language)
  }
}
