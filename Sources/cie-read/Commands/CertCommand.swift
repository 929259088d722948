import Arguments
import CIECard
import Messages
import System

/// `cie-read cert`: the holder's certificate. It takes the PIN.
struct CertCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("cert", "command.cert")
  }

  /// The format of the certificate.
  enum Format: String, CaseIterable, ArgumentValue {
    case pem
    case der
    case text
  }

  @Option(help: .text("option.cert.out", value: "file"), completion: .file()) var out: String?
  @Option(help: .text("option.cert.format", value: "form")) var format = Format.pem
  @OptionGroup var pin: CodeOptions<PINCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    let isToStandardOutput = out == nil || out == "-"
    if isToStandardOutput, output.json, format == .der { throw .usage(.outputTwice) }
    if isToStandardOutput, format == .der, Stream.output.isTerminal {
      throw .usage(.binaryToTerminal)
    }
    let card = try source.conversation()
    // It names the holder.
    let file = try OutputFile.made(
      isToStandardOutput ? nil : out, mode: 0o600, overwriting: session.mayOverwrite)
    var pin = try pin.code(session)
    let access = try holder.access(in: session)
    let certificate = try Self.certificate(of: card, with: &pin, access, in: session)
    let bytes = try encoded(certificate)
    try file?.commit(bytes)
    var outcome = CommandOutcome()
    let hasEnded = certificate.notAfter < session.time
    if hasEnded { session.warn(certificate.end) }
    outcome.members = certificate.members(file == nil ? nil : out, hasEnded: hasEnded)
    if file == nil {
      outcome.bytes = bytes
      outcome.members.append(.init("certificate", certificate.pem))
      if format == .text {
        outcome.members.append(.init("text", String(decoding: bytes, as: UTF8.self)))
      }
    }
    return outcome
  }

  /// The result for one card, without the file that this command can write.
  static func outcome(
    of card: Conversation, with pin: inout AwaitedCode, _ access: HolderAccess,
    in session: Session
  ) throws(Failure) -> CommandOutcome {
    let certificate = try certificate(of: card, with: &pin, access, in: session)
    var outcome = CommandOutcome()
    outcome.members = certificate.members(nil, hasEnded: certificate.notAfter < session.time)
    outcome.members.append(.init("certificate", certificate.pem))
    return outcome
  }

  private static func certificate(
    of card: Conversation, with pin: inout AwaitedCode, _ access: HolderAccess,
    in session: Session
  ) throws(Failure) -> Certificate {
    try card.perform(in: session) { (card, random, session) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: session)
      return try Failure.onCard { () throws(CardError) in try verified.readCertificate() }
    }
  }

  private func encoded(_ certificate: Certificate) throws(Failure) -> [UInt8] {
    switch format {
    case .pem: return [UInt8](certificate.pem.utf8)
    case .der: return certificate.der
    case .text:
      do throws(CryptoError) { return [UInt8](try certificate.text.utf8) } catch {
        throw .crypto(error)
      }
    }
  }
}

extension Certificate {
  /// The data for scripts. The holder's name is not among it: that is in the certificate alone.
  fileprivate func members(_ path: String?, hasEnded: Bool) -> [JSON.Member] {
    let fingerprint = try? HashAlgorithm.sha256.hash(der)
    return [
      .init("serial", serial), .init("notBefore", notBefore.description),
      .init("notAfter", notAfter.description), .init("expired", hasEnded),
      .init("sha256", fingerprint?.hexadecimal), .init("out", path),
    ]
  }

  /// The message that the certificate has expired, because a card of fifty years outlives it.
  fileprivate var end: Message {
    Message("warning.certificate-expired", ["date": notAfter])
  }
}
