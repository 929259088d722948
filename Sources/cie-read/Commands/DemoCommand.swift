import Arguments
import CIECard
import CardWork
import Messages
import Primitives
import VirtualCIE

/// `cie-read demo`: the main job on a virtual card, with each step explained.
struct DemoCommand: CardCommand {
  static let configuration = CommandConfiguration("demo", "command.demo")

  @OptionGroup var card: VirtualOption
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let persona = (card.virtual ?? .usual).persona
    let source = Conversation(source: .substitute(SoftwareCard(persona: persona)))
    let opening = Message("demo.card", ["identifier": persona.identifier])
    var outcome = CommandOutcome(lines: [opening(context.language)])

    let trust = try persona.authority()
    let finding = try EvidenceJob(scope: .everythingFree, trust: trust)
      .run(on: source, in: context)
    outcome.add(finding, context.language)

    let text = [UInt8]("cie-read demo".utf8)
    let digest = try mapError(try Digest(.sha256, hashing: text)) { Failure.crypto($0) }
    // The PIN of an invented person, published with the software card.
    let pin = HeldCode(try AwaitedCode(.pin, Secret([UInt8](persona.pin.utf8))))
    let access = HolderAccess(
      allowsLastTry: false,
      vouching: .required(trust, believesSoftwareCards: false, asksPerson: false))
    let signed = try SignatureJob(digests: [digest], pin: pin, access: access)
      .run(on: source, in: context)
    for signature in signed.list {
      outcome.add(signature.assertion, over: text, context.language)
    }
    if outcome.failure == nil, finding.report.outcome != .proved {
      outcome.failure = .notProved(finding.report.outcome)
    }
    return outcome
  }
}

extension CommandOutcome {
  fileprivate mutating func add(_ finding: CardEvidence, _ language: Language) {
    lines += [
      Message("demo.nis", ["number": finding.number])(language),
      Message("demo.genuine")(language),
    ]
    lines += finding.report.lines(isTest: finding.isTest, language)
    members += [.init("servicesNumber", finding.number.description)]
    members += finding.report.members(isTest: finding.isTest, language)
  }

  fileprivate mutating func add(
    _ assertion: SignedAssertion, over text: [UInt8], _ language: Language
  ) {
    let certificate = assertion.certificate
    let isRight = certificate.verify(
      signature: assertion.signature, digest: assertion.digest.bytes, algorithm: .sha256)
    let altered = try? Digest(.sha256, hashing: text + [0x21])
    let isWrongRefused = altered.map {
      !certificate.verify(
        signature: assertion.signature, digest: $0.bytes, algorithm: .sha256)
    }
    lines += [
      Message("demo.channel"),
      Message(
        "demo.certificate",
        ["length": certificate.der.count, "date": certificate.notAfter]),
      Message("demo.signature"),
    ].map { $0(language) }
    members += [
      .init("certificateLength", certificate.der.count),
      .init("signature", assertion.signature.hexadecimal),
      .init("signatureHolds", isRight), .init("alteredTextRefused", isWrongRefused == true),
    ]
    if !isRight || isWrongRefused != true { failure = .notProved(.false) }
  }
}
