import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// `cert`: the holder's certificate. It takes the PIN.
struct Cert: CardFunction {
  static let name = "cert"
  static let served: Served? = Served("The holder's certificate.", answer: "The certificate.")

  enum Format: String, CaseIterable, ArgumentValue {
    case pem
    case der
    case text
  }

  let out: String?
  let format: Format?
  let evidence: EvidenceChoice
  let pin: CodeInput
  let holder: HolderChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    let isToStandardOutput = out == nil || out == "-"
    if isToStandardOutput, format == .der {
      if context.isJSON { throw .usage("output-twice") }
      if Stream.output.isTerminal { throw .usage("binary-to-terminal") }
    }
    // It names the holder.
    let file = try OutputFile.made(
      isToStandardOutput ? nil : out, mode: 0o600, overwriting: context.mayOverwrite)
    let order = try evidence.order(in: context, readsDocument: false)
    context.purpose.add(Message("pinentry.cert")(context.language))
    let found = try CertificateJob(
      pin: try pin.held(in: context), access: try holder.access(in: context), portable: order?.blank
    ).run(on: card, in: context)
    let bytes = try encoded(found.certificate)
    try file?.commit(bytes)
    let handed = try order?.finish(found.portable)
    if found.hasEnded {
      context.warn(
        Message("warning.certificate-expired", ["date": found.certificate.notAfter]))
    }
    if let problem = found.clockProblem { context.warn(problem) }
    context.warnOfRecoverableKey(of: found.certificate)
    guard file == nil else { return Result(found: found, path: out, handed: handed) }
    var result = Result(found: found, handed: handed)
    switch format {
    // A person wants to know whose it is; a program that reads the output wants the certificate.
    case nil where Stream.output.isTerminal && out == nil: result.isShownAlone = true
    case .text: result.text = String(decoding: bytes, as: UTF8.self)
    case nil, .pem, .der: result.form.bytes = bytes
    }
    return result
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

extension Cert {
  init(from inputs: inout Inputs) throws(Failure) {
    out = try inputs.text("out", help: "option.cert.out", value: "file", completion: .file())
    format = try inputs.option("format", help: "option.cert.format", value: "form")
    evidence = try inputs.part()
    pin = try inputs.code(.pin, http: .pin)
    holder = try inputs.part()
  }

  struct Result: FunctionResult {
    let found: HolderCertificate
    /// The file to which it was written, if any.
    var path: String?
    var handed: HandedEvidence?
    /// Its contents in words, if they were requested.
    var text: String?
    /// True for a person, who gets the next steps, too.
    var isShownAlone = false
    var form = ResultForm()

    private var certificate: Certificate { found.certificate }

    static let members: [Member<Result>] = [
      Member(
        "subject", \.certificate.subject.text,
        note: "The holder: a distinguished name, as RFC 4514 writes it."),
      Member("issuer", \.certificate.issuer.text), Member("serial", \.certificate.serial),
      Member("notBefore", \.certificate.notBefore), Member("notAfter", \.certificate.notAfter),
      Member("expired", \.found.hasEnded),
      Member(
        "recoverableKey", \.certificate.hasRecoverableKey,
        note: "Whether the private key can be computed from the public one (ROCA)."),
      Member("sha256", \.certificate.der.sha256), Member("out", \.path),
      .whenPresent(
        "certificate", { $0.path == nil ? $0.certificate.pem : nil },
        note: "PEM, unless it is in the file `out`."),
      .whenPresent("text", \.text, note: "With --format text."),
      .whenPresent("evidence", \.handed),
    ]

    func lines(_ language: Language) -> [String] {
      let subject = certificate.subject
      let names = [subject.givenName, subject.surname].compactMap { $0 }
      let rows: [(Message, String?)] = [
        (Message("label.holder"), names.isEmpty ? subject.text : names.joined(separator: " ")),
        (Message("document.fiscal-code"), fiscalCode),
        (Message("label.issuer"), certificate.issuer.commonName ?? certificate.issuer.text),
        (
          Message("label.validity"),
          [certificate.notBefore, certificate.notAfter].map(language.text).joined(separator: "–")
        ),
        (Message("label.serial"), certificate.serial),
      ]
      var lines = rows.compactMap { label, value in value.map { label.row($0, language) } }
      if let path { lines.append(Message("cert.saved", ["path": path])(language)) }
      lines += HandedEvidence.lines(handed, language)
      if isShownAlone { lines.append(Message("cert.more")(language)) }
      if let text { lines += [""] + text.split(separator: "\n").map(String.init) }
      return lines
    }

    /// The part of the common name before the number of the card.
    private var fiscalCode: String? {
      certificate.subject.commonName?.split(separator: "/").first.map(String.init)
    }
  }
}

struct HolderCertificate: Sendable {
  let certificate: Certificate
  /// True if it has expired, because a card of fifty years outlives it; false by a clock that is wrong.
  let hasEnded: Bool
  /// The error of a clock by which it is neither valid nor expired.
  let clockProblem: Diagnosis?
  /// The evidence for another machine, if that was asked for.
  var portable: CardEvidence?
}

/// `cert`: reads the certificate of the holder. It takes the PIN.
struct CertificateJob: Sendable {
  let pin: HeldCode
  let access: HolderAccess
  /// The evidence to fill and sign for another machine; `nil` for none.
  var portable: CardEvidence?

  func run(on card: Conversation, in context: RunContext) throws(Failure)
    -> HolderCertificate
  {
    var pin = try pin.code()
    let (certificate, portable) = try card.perform(in: context) {
      (card, random, context) throws(Failure) in
      try read(card, &pin, random: &random, in: context)
    }
    let problem = context.present.problem(issued: [certificate.notBefore])
    return HolderCertificate(
      certificate: certificate, hasEnded: problem == nil && certificate.notAfter < context.time,
      clockProblem: problem, portable: portable)
  }

  private func read(
    _ card: consuming SessionCard, _ pin: inout AwaitedCode, random: inout SessionRandom,
    in context: RunContext
  ) throws(Failure) -> (Certificate, CardEvidence?) {
    guard var evidence = portable else {
      var verified = try card.verified(with: &pin, access, random: &random, in: context)
      return (try mapError(try verified.readCertificate()) { Failure.card($0) }, nil)
    }
    var card = card
    // In clear, before the secure channel.
    try mapError(try card.gatherEvidence(.servicesNumber, into: &evidence)) { Failure.card($0) }
    var verified = try card.verified(with: &pin, access, random: &random, in: context)
    do throws(CardError) {
      try verified.sign(&evidence)
      return (try verified.readCertificate(), evidence)
    } catch { throw .card(error) }
  }
}
