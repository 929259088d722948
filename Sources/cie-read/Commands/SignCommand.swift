import ArgumentParser
import CIECard

/// `cie-read sign`: signatures with the holder's key, all in one session with one VERIFY.
struct SignCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "sign", it: "Firma file con la chiave del titolare; serve il PIN.",
      en: "Sign files with the holder's key; it takes the PIN.",
      discussion: Bilingual(
        it: """
          La firma è grezza: RSA PKCS#1 v1.5, 256 byte, già verificata con il certificato. Più file \
          si firmano in una sola sessione. Ognuno può avere il suo --out; altrimenti la firma va \
          in FILE.sig, quella dello standard input (-) sullo standard output, e con --json sta \
          nel solo JSON.
          """,
        en: """
          The signature is raw: RSA PKCS#1 v1.5, 256 bytes, already checked with the certificate. \
          Several files are signed in one session. Each may have its --out; otherwise the \
          signature goes to FILE.sig, that of standard input (-) to standard output, and with \
          --json it is in the JSON alone.
          """))
  }

  @Argument(
    help: .text(
      it: "File da firmare; - è lo standard input.", en: "Files to sign; - is standard input.",
      value: "file"))
  var files: [String] = []
  @Option(
    help: .text(it: "Funzione di hash.", en: "Hash function.", value: "digest"))
  var digest = DigestOption.sha256
  @Option(
    name: .customLong("in"),
    help: .text(
      it: "Lo stesso come opzione; ripetibile.", en: "The same as an option; repeatable.",
      value: "file"))
  var named: [String] = []
  @Option(
    name: .customLong("out"),
    help: .text(
      it: "File per la firma; - è lo standard output; uno per ogni file.",
      en: "File for the signature; - is standard output; one for each file.", value: "file"))
  var outputs: [String] = []
  @OptionGroup var pin: PINOptions
  @OptionGroup var tries: TryOptions
  @OptionGroup var genuine: GenuineOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  /// What is signed, in the order in which it is named.
  private var inputs: [String] { files + named }

  func perform(in session: Session) throws(Failure) -> Outcome {
    var session = session
    guard files.isEmpty != named.isEmpty else {
      throw .usage(files.isEmpty ? .noInput : .inputTwice)
    }
    session.standardInputIsData = inputs.contains("-")
    guard inputs.count(where: { $0 == "-" }) <= 1 else { throw .usage(.standardInputTwice) }
    let paths = try destinations()
    let card = try source.source()
    var digests: [Digest] = []
    for input in inputs {
      digests.append(try InputFile.digest(of: input, digest.algorithm, session.interruption))
    }
    // Made before the card is asked: no signature is spent on a full disk or a missing folder.
    var files: [OutputFile?] = []
    for path in paths {
      files.append(try Self.file(path, session))
    }
    let job = Job(
      pin: try pin.code(session), access: try genuine.access(tries, in: session), digests: digests)
    let signed = try card.perform(job, as: source.conversation, in: session)
    for (assertion, file) in zip(signed, files) { try file?.commit(assertion.signature) }
    return outcome(signed, paths, session.language)
  }

  private static func file(_ path: String?, _ session: Session) throws(Failure) -> OutputFile? {
    guard let path, path != "-" else { return nil }
    return try OutputFile(path, overwriting: session.mayOverwrite)
  }

  /// Where each signature goes: a path, `-`, or nil for the JSON alone.
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
  ) -> Outcome {
    var outcome = Outcome()
    var list: [JSON] = []
    for (assertion, (input, path)) in zip(signed, zip(inputs, paths)) {
      if path == "-" { outcome.bytes = assertion.signature }
      outcome.lines.append(
        Bilingual(
          it: "\(input): firmato, la firma è in \(path ?? "-")",
          en: "\(input): signed, the signature is in \(path ?? "-")")(language))
      list.append(
        .object([
          .init("in", input), .init("out", path),
          .init("algorithm", assertion.digest.algorithm.rawValue),
          .init("digest", assertion.digest.bytes.hexadecimal),
          .init("signature", assertion.signature.hexadecimal),
        ]))
    }
    outcome.members = [.init("signatures", .array(list))]
    return outcome
  }

  private struct Job: CardJob, ~Copyable {
    var pin: AwaitedCode
    let access: HolderAccess
    let digests: [Digest]

    mutating func run<Channel: CardChannel & ~Copyable>(
      on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
      in session: Session
    ) throws(Failure) -> [SignedAssertion] {
      let (access, digests) = (access, digests)
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      var signed: [SignedAssertion] = []
      do throws(CardError) {
        for digest in digests { signed.append(try verified.sign(digest)) }
      } catch { throw .card(error) }
      return signed
    }
  }
}
