import Arguments
import CIECard
import CardWork
import Messages

/// `cie-read sign`: signatures with the holder's key, all in one session with one VERIFY.
struct SignCommand: CommandWork {
  static let configuration = CommandConfiguration("sign", "command.sign")
  static let results: [any FunctionResult.Type] = [HolderSignatures.self, SignedDocuments.self]

  private let files: [String]
  private let digest: Digest.Algorithm
  private let named: [String]
  private let outputs: [String]
  private let form: SigningOptions
  private let stamps: TimeStampChoice
  private let pin: CodeInput
  private let holder: HolderChoice
  private let source: SourceOptions
  private let output: OutputOptions

  init(from inputs: inout Inputs) throws(Failure) {
    files = try inputs.arguments(
      "files", help: "option.sign.files", value: "file", completion: .file())
    digest = try inputs.option(
      "digest", default: .sha256, help: "option.sign.digest", value: "digest")
    named = try inputs.texts(
      "in", help: "option.sign.named", value: "file", completion: .file())
    outputs = try inputs.texts(
      "out", help: "option.sign.outputs", value: "file", completion: .file())
    form = try inputs.part()
    stamps = try inputs.part()
    pin = try inputs.code(.pin)
    holder = try inputs.part()
    source = try inputs.part()
    try inputs.stay()
    output = try inputs.part()
  }

  private var inputs: [String] { files + named }

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    var context = context
    guard files.isEmpty != named.isEmpty else {
      throw files.isEmpty
        ? .usage("missing-option", key: "missing-input") : .usage("input-twice")
    }
    if let format = try form.documentFormat(outputs, in: context) {
      return try signDocuments(format, in: context)
    }
    guard form.folder == nil else { throw .unfit("--out-dir", format: .raw) }
    guard form.level == .b, stamps.tsa == nil else {
      throw .unfit("--level", format: .raw)
    }
    context.standardInputIsData = inputs.contains("-")
    guard inputs.count(where: { $0 == "-" }) <= 1 else { throw .usage("standard-input-twice") }
    let paths = try destinations()
    let card = try source.conversation()
    let digests = try inputs.map { (input) throws(Failure) in
      try InputFile.digest(of: input, digest, context.interruption)
    }
    // Made before the card is asked: no signature is spent on a full disk or a missing folder.
    let files = try paths.map { (path) throws(Failure) in
      try OutputFile.made(path == "-" ? nil : path, overwriting: context.mayOverwrite)
    }
    if outputs.isEmpty, !output.json, Stream.error.isTerminal {
      context.tell([Message("sign.bare")(context.language)])
    }
    SigningStatement.ask(inputs.count, named: inputs, in: context)
    let job = SignatureJob(
      digests: digests, pin: try pin.held(in: context), access: try holder.access(in: context))
    var signed = try job.run(on: card, in: context)
    for (index, (input, path)) in zip(inputs, paths).enumerated() {
      signed.list[index].input = input
      signed.list[index].path = path
    }
    for (signature, file) in zip(signed.list, files) {
      try file?.commit(signature.assertion.signature)
    }
    var outcome = CommandOutcome(signed, context.language)
    outcome.form.bytes = signed.list.first { $0.path == "-" }?.assertion.signature
    return outcome
  }

  /// Signs documents: those that are fit, after a look at all of them.
  private func signDocuments(
    _ format: DocumentFormat, in context: RunContext
  ) throws(Failure) -> CommandOutcome {
    guard digest == .sha256 else { throw .unfit("--digest", format: .cades) }
    guard outputs.isEmpty || form.folder == nil else { throw .usage("several-outputs") }
    let raised = try stamps.raised(to: form.level, in: context)
    let card = try source.conversation()
    SigningOrder.allowManyFiles()
    var paths: [String] = []
    for input in inputs { paths += try SigningOrder.files(input, format) }
    guard outputs.isEmpty || outputs.count == paths.count else { throw .usage("out-count") }
    let orders = paths.enumerated().map { index, path in
      SigningOrder(
        path, format, output: outputs.isEmpty ? nil : outputs[index], folder: form.folder)
    }
    guard Set(orders.map { $0.output.systemBytes }).count == orders.count else {
      throw .usage("same-output")
    }
    if let folder = form.folder { try OutputFile.makeFolder(folder, mode: 0o755) }
    let job = DocumentSigningJob(
      orders: orders, pin: try pin.held(in: context), access: try holder.access(in: context),
      raised: raised, isLevelOptional: form.tsaOptional)
    return CommandOutcome(try job.run(on: card, in: context), context.language)
  }

  /// The destination of each signature: a path, `-`, or nil for the JSON alone.
  private func destinations() throws(Failure) -> [String?] {
    guard outputs.isEmpty || outputs.count == inputs.count else { throw .usage("out-count") }
    let paths: [String?] =
      outputs.isEmpty
      ? inputs.map { output.json ? nil : $0 == "-" ? "-" : $0 + ".sig" } : outputs
    let toStandardOutput = paths.count { $0 == "-" }
    guard toStandardOutput == 0 || (paths.count == 1 && !output.json) else {
      throw .usage("output-twice")
    }
    guard toStandardOutput == 0 || !Stream.output.isTerminal else {
      throw .usage("binary-to-terminal")
    }
    return paths
  }
}

extension Digest.Algorithm: ArgumentValue {}
