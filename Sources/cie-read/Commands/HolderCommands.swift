import Arguments
import CIECard
import CardWork
import Messages

/// `cie-read cert`: the holder's certificate. It takes the PIN.
struct CertCommand: CardCommand {
  static let configuration = CommandConfiguration("cert", "command.cert")

  enum Format: String, CaseIterable, ArgumentValue {
    case pem
    case der
    case text
  }

  @Option(help: .text("option.cert.out", value: "file"), completion: .file()) var out: String?
  @Option(help: .text("option.cert.format", value: "form")) var format: Format?
  @OptionGroup var pin: CodeOptions
  @OptionGroup var holder: Part<HolderChoice>
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let isToStandardOutput = out == nil || out == "-"
    if isToStandardOutput, output.json, format == .der { throw .usage("output-twice") }
    if isToStandardOutput, format == .der, Stream.output.isTerminal {
      throw .usage("binary-to-terminal")
    }
    let card = try source.conversation()
    // It names the holder.
    let file = try OutputFile.made(
      isToStandardOutput ? nil : out, mode: 0o600, overwriting: context.mayOverwrite)
    let job = CertificateJob(
      pin: try pin.held(context), access: try holder.value().access(in: context))
    var found = try job.run(on: card, in: context)
    let bytes = try encoded(found.certificate)
    try file?.commit(bytes)
    if found.hasEnded {
      context.warn(
        Message("warning.certificate-expired", ["date": found.certificate.notAfter]))
    }
    if let problem = found.clockProblem { context.warn(problem) }
    context.warnOfRecoverableKey(of: found.certificate)
    if file != nil { found.path = out }
    if file == nil, format == .text { found.text = String(decoding: bytes, as: UTF8.self) }
    var outcome = CommandOutcome(found, context.language)
    guard file == nil else { return outcome }
    switch format {
    // A person wants to know whose it is; a program that reads the output wants the certificate.
    case nil where Stream.output.isTerminal && out == nil:
      outcome.lines.append(Message("cert.more")(context.language))
    case .text:
      let text = String(decoding: bytes, as: UTF8.self)
      outcome.lines += [""] + text.split(separator: "\n").map(String.init)
    case nil, .pem, .der: outcome.bytes = bytes
    }
    return outcome
  }

  private func encoded(_ certificate: Certificate) throws(Failure) -> [UInt8] {
    switch format ?? .pem {
    case .pem: return [UInt8](certificate.pem.utf8)
    case .der: return certificate.der
    case .text:
      return [UInt8](try mapError(try certificate.text) { Failure.crypto($0) }.utf8)
    }
  }
}

/// `cie-read pin`: the commands around the PIN.
struct PINCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "pin", "command.pin",
    subcommands: [
      CardFunctionCommand<PINVerify>.self, CardFunctionCommand<PINChange>.self,
      CardFunctionCommand<PINUnblock>.self, HelpCommand<PINCommand>.self,
    ])
}
