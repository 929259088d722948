import Arguments
import CIECard
import Messages
import System

/// `cie-read sign`: signatures with the holder's key, all in one session with one VERIFY.
struct SignCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("sign", "command.sign")
  }

  @Argument(help: .text("option.sign.files", value: "file"), completion: .file()) var files:
    [String] = []
  @Option(help: .text("option.sign.digest", value: "digest")) var digest = DigestOption.sha256
  @Option(
    name: "in", help: .text("option.sign.named", value: "file"), completion: .file())
  var named: [String] = []
  @Option(
    name: "out", help: .text("option.sign.outputs", value: "file"), completion: .file()
  )
  var outputs: [String] = []
  @OptionGroup var pin: CodeOptions<PINCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  /// The inputs, in the order of the command line.
  private var inputs: [String] { files + named }

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    var session = session
    guard files.isEmpty != named.isEmpty else {
      throw .usage(files.isEmpty ? .noInput : .inputTwice)
    }
    session.standardInputIsData = inputs.contains("-")
    guard inputs.count(where: { $0 == "-" }) <= 1 else { throw .usage(.standardInputTwice) }
    let paths = try destinations()
    let card = try source.conversation()
    var digests: [Digest] = []
    for input in inputs {
      digests.append(try InputFile.digest(of: input, digest.algorithm, session.interruption))
    }
    // Made before the card is asked: no signature is spent on a full disk or a missing folder.
    var files: [OutputFile?] = []
    for path in paths {
      files.append(
        try OutputFile.made(path == "-" ? nil : path, overwriting: session.mayOverwrite))
    }
    var pin = try pin.code(session)
    let access = try holder.access(in: session)
    let signed = try Self.sign(digests, by: card, with: &pin, access, in: session)
    for (assertion, file) in zip(signed, files) { try file?.commit(assertion.signature) }
    return outcome(signed, paths, session.language)
  }

  /// Signs hash values, without the files that this command reads and writes; their names are their numbers.
  static func outcome(
    of card: Conversation, signing digests: [Digest], with pin: inout AwaitedCode,
    _ access: HolderAccess, in session: Session
  ) throws(Failure) -> CommandOutcome {
    let signed = try sign(digests, by: card, with: &pin, access, in: session)
    var outcome = CommandOutcome()
    let list = signed.enumerated().map { $0.element.json(String($0.offset), nil) }
    outcome.members = [.init("signatures", .array(list))]
    return outcome
  }

  private static func sign(
    _ digests: [Digest], by card: Conversation, with pin: inout AwaitedCode,
    _ access: HolderAccess, in session: Session
  ) throws(Failure) -> [SignedAssertion] {
    try card.perform(in: session) { (card, random, session) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      var signed: [SignedAssertion] = []
      do throws(CardError) {
        for digest in digests { signed.append(try verified.sign(digest)) }
      } catch { throw .card(error) }
      return signed
    }
  }

  /// The destination of each signature: a path, `-`, or nil for the JSON alone.
  private func destinations() throws(Failure) -> [String?] {
    guard outputs.isEmpty || outputs.count == inputs.count else { throw .usage(.outCount) }
    let paths: [String?] =
      outputs.isEmpty
      ? inputs.map { output.json ? nil : $0 == "-" ? "-" : $0 + ".sig" } : outputs
    let toStandardOutput = paths.count { $0 == "-" }
    guard toStandardOutput == 0 || (paths.count == 1 && !output.json) else {
      throw .usage(.outputTwice)
    }
    guard toStandardOutput == 0 || !Stream.output.isTerminal else {
      throw .usage(.binaryToTerminal)
    }
    return paths
  }

  private func outcome(
    _ signed: [SignedAssertion], _ paths: [String?], _ language: Language
  ) -> CommandOutcome {
    var outcome = CommandOutcome()
    var list: [JSON] = []
    for (assertion, (input, path)) in zip(signed, zip(inputs, paths)) {
      if path == "-" { outcome.bytes = assertion.signature }
      outcome.lines.append(
        Message("sign.done", ["input": input, "path": path ?? "-"])(language))
      list.append(assertion.json(input, path))
    }
    outcome.members = [.init("signatures", .array(list))]
    return outcome
  }
}

extension SignedAssertion {
  fileprivate func json(_ input: String, _ path: String?) -> JSON {
    .object([
      .init("in", input), .init("out", path), .init("algorithm", digest.algorithm.rawValue),
      .init("digest", digest.bytes.hexadecimal), .init("signature", signature.hexadecimal),
    ])
  }
}

/// The supported hash functions.
enum DigestOption: String, CaseIterable, ArgumentValue {
  case sha256
  case sha384
  case sha512

  var algorithm: Digest.Algorithm {
    switch self {
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }
}
