import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// `extend`: raises the signatures of a file to a level, without the card.
struct Extend: FunctionWithoutCard {
  static let name = "extend"

  let files: [String]
  let out: String?
  let level: SignatureLevel
  let content: String?
  let password: PDFPassword
  let stamps: TimeStampChoice

  func run(in context: RunContext) throws(Failure) -> ExtendedFile {
    guard let path = files.first, files.count == 1 else {
      throw .usage("missing-option", key: "missing-signed-file")
    }
    guard let raised = try stamps.raised(to: level, in: context),
      let addition = raised.addition(at: context.time)
    else { throw .usage("level-b-of-extend") }
    let job = ExtensionJob(
      path: path, output: out ?? SigningOrder.nameBeside(path, "-extended"),
      content: content, password: try password.bytes(in: context), raised: raised,
      addition: addition)
    return try job.run(in: context)
  }
}

extension Extend {
  typealias Result = ExtendedFile

  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.extend.file", value: "file", completion: .file())
    out = try inputs.text("out", help: "option.extend.out", value: "file", completion: .file())
    level = try inputs.option(
      "level", default: .t, help: "option.extend.level", value: "level")
    content = try inputs.text(
      "content", help: "option.check.content", value: "file", completion: .file())
    password = try inputs.part()
    stamps = try inputs.part()
    _ = try inputs.part(Overwriting.self)
  }
}

extension ExtendedFile: FunctionResult {
  static let members: [Member<ExtendedFile>] = [
    Member("in", \.path), Member("out", \.output),
    Member("level", \.level).of { .words(["t", "lt", "lta"]) },
    Member("stampedTimes") { $0.report.signatures.compactMap(\.stampedTime) }.of {
      .list(of: UTCTime.schema, atLeast: 1)
    },
  ]

  func lines(_ language: Language) -> [String] {
    [Message("extend.done", ["input": path, "path": output])(language)]
  }
}
