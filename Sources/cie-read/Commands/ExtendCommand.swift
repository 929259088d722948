import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// `cie-read extend`: adds a time stamp to a signed file, without the card.
struct ExtendCommand: CardCommand {
  static let configuration = CommandConfiguration("extend", "command.extend")

  @Argument(help: .text("option.extend.file", value: "file"), completion: .file())
  var files: [String] = []
  @Option(help: .text("option.extend.out", value: "file"), completion: .file()) var out: String?
  @OptionGroup var password: PDFPasswordOptions
  @OptionGroup var stamps: TimeStampOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: RunContext) throws(Failure) -> CommandOutcome {
    guard let path = files.first, files.count == 1 else { throw .usage(.noSignedFile) }
    guard let server = try stamps.server(in: session) else {
      throw .usage(.levelWithoutServer)
    }
    let job = ExtensionJob(
      path: path, output: out ?? SigningOrder.nameBeside(path, "-extended"),
      password: try password.password(in: session), server: server)
    return CommandOutcome(try job.run(in: session), session.language)
  }
}
