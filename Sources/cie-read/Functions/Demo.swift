import CIECard
import CardWork
import Messages
import Primitives
import VirtualCIE

/// `demo`: the main job on a virtual card, with each step explained.
struct Demo: FunctionWithoutCard {
  static let name = "demo"

  private static let text = [UInt8]("cie-read demo".utf8)

  let card: VirtualChoice

  func run(in context: RunContext) throws(Failure) -> Result {
    let persona = (card.persona ?? .usual).persona
    let source = Conversation(source: .substitute(SoftwareCard(persona: persona)))
    let trust = try persona.authority()
    let finding = try EvidenceJob(scope: .everythingFree, trust: trust)
      .run(on: source, in: context)
    // The PIN of an invented person, published with the software card.
    let pin = HeldCode(try AwaitedCode(.pin, Secret([UInt8](persona.pin.utf8))))
    let access = HolderAccess(
      allowsLastTry: false,
      vouching: .required(trust, believesSoftwareCards: false, asksPerson: false))
    let signed = try SignatureJob(
      digests: [try Self.digest(of: Self.text)], pin: pin, access: access
    ).run(on: source, in: context)
    guard let assertion = signed.list.first?.assertion else { throw .notProved(.false) }
    let altered = try? Self.digest(of: Self.text + [0x21])
    return Result(
      persona: persona, finding: finding, assertion: assertion,
      holds: assertion.isRight(for: assertion.digest),
      refusesAltered: altered.map { !assertion.isRight(for: $0) } == true)
  }

  private static func digest(of text: [UInt8]) throws(Failure) -> Digest {
    try mapError(try Digest(.sha256, hashing: text)) { Failure.crypto($0) }
  }
}

extension Demo {
  init(from inputs: inout Inputs) throws(Failure) {
    card = try inputs.part()
    inputs.adds(.genuine)
  }

  struct Result: FunctionResult {
    let persona: Persona
    let finding: IASReading
    let assertion: SignedAssertion
    let holds: Bool
    let refusesAltered: Bool

    static let members: [Member<Result>] =
      [Member("servicesNumber", \.finding.number.description)]
      + Member.all { ReportFacts(report: $0.finding.report, isTest: $0.finding.isTest) } + [
        Member("certificateLength", \.assertion.certificate.der.count),
        Member("signature") { Digits($0.assertion.signature) }, Member("signatureHolds", \.holds),
        Member("alteredTextRefused", \.refusesAltered),
      ]

    var failure: Failure? {
      guard holds, refusesAltered else { return .notProved(.false) }
      let outcome = finding.report.outcome
      return outcome == .proved ? nil : .notProved(outcome)
    }

    func lines(_ language: Language) -> [String] {
      let certificate = assertion.certificate
      return [
        Message("demo.card", ["identifier": persona.identifier])(language),
        Message("demo.nis", ["number": finding.number])(language),
        Message("demo.genuine")(language),
      ] + finding.report.lines(isTest: finding.isTest, language)
        + [
          Message("demo.channel"),
          Message(
            "demo.certificate",
            ["length": certificate.der.count, "date": certificate.notAfter]),
          Message("demo.signature"),
        ].map { $0(language) }
    }
  }
}

extension SignedAssertion {
  /// True if the signature is that of this hash value.
  fileprivate func isRight(for digest: Digest) -> Bool {
    certificate.verify(signature: signature, digest: digest.bytes, algorithm: .sha256)
  }
}
