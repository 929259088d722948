import Messages
import Primitives
import Synchronization
import TestSupport
import Testing
import VirtualCIE

@testable import CIECard
@testable import CardWork
@testable import cie_read

/// The jobs of the card, as values: no text, no JSON, no process.
@Suite struct JobTests {
  private static let anchors = TrustStore(der: Persona.gemalto.csca)
  /// The anchors of both sides of the card.
  private static let both = TrustStore(der: Persona.gemalto.documentCSCA)
    .flatMap { anchors?.merged(with: $0) }

  private static func card(_ faults: String = "") throws -> Conversation {
    let plan = faults.isEmpty ? FaultPlan() : try FaultPlan(parsing: faults)
    return Conversation(source: .substitute(SoftwareCard(persona: .gemalto, faults: plan)))
  }

  /// The steps that a job reports; it counts the codes sent to the card.
  private final class Steps: Sendable {
    private let list = Mutex<[CardError.Step]>([])
    var codes: Int { list.withLock { $0.count { $0 == .verifyPIN || $0 == .verifyPUK } } }
    func count(_ step: CardError.Step) -> Int { list.withLock { $0.count { $0 == step } } }
    func note(_ step: CardError.Step) { list.withLock { $0.append(step) } }
  }

  private static func context(_ steps: Steps = Steps()) -> RunContext {
    var context = RunContext(.english, Interruption(takesSignals: false))
    context.isQuiet = true
    context.onProgress = { event, _ in if event.bytes == nil { steps.note(event.step) } }
    return context
  }

  private static func pin(_ digits: String = Persona.gemalto.pin) throws -> HeldCode {
    HeldCode(try AwaitedCode(.pin, Secret([UInt8](digits.utf8))))
  }

  private static let access = HolderAccess(allowsLastTry: false, vouching: .skipped)
  private static let holder = HolderChoice(HolderTerms(access))

  @Test func `info has the kind, the number and the tries`() throws {
    let found = try Info().run(on: Self.card(), in: Self.context())
    #expect(found.family == .gemalto)
    #expect(found.number?.description == "100200300401")
    #expect(found.applications?.isEmpty == false)
    guard case .reported(pin: 3, puk: 10) = found.tries else {
      Issue.record("\(String(describing: found.tries))")
      return
    }
    #expect(found.failure == nil)
  }

  @Test func `info keeps the facts found before a card was lost`() throws {
    let found = try Info().run(on: Self.card("card-removed@6"), in: Self.context())
    #expect(found.number != nil)
    #expect(found.tries == nil)
    guard case .card(let error) = found.failure else {
      Issue.record("another end")
      return
    }
    #expect(error.reason == .channel(.cardRemoved))
  }

  @Test func `an unproved number is a failure only where proof is required`() throws {
    func failure(_ trust: TrustStore?, requiresProof: Bool) throws -> Failure? {
      try NIS(
        requireProved: requiresProof, evidence: EvidenceChoice(), trust: TrustChoice(trust)
      ).run(on: Self.card(), in: Self.context()).failure
    }
    #expect(try failure(Self.anchors, requiresProof: true) == nil)
    #expect(try failure(nil, requiresProof: false) == nil)
    guard case .notProved(.couldNotCheck) = try failure(nil, requiresProof: true) else {
      Issue.record("another end")
      return
    }
  }

  @Test func `groups of the document need its key`() throws {
    let job = VerificationJob(
      groups: [.dg1], requiresValidity: false, trust: nil)
    let card = try Self.card()
    do throws(Failure) {
      _ = try job.run(on: card, in: Self.context())
      Issue.record("no failure")
    } catch {
      guard case .found(let diagnosis) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(diagnosis.name == "groups-without-access-code")
    }
  }

  @Test func `verify judges both sides in one contact`() throws {
    let job = VerificationJob(
      key: DocumentKey(can: "223606"), requiresValidity: true,
      trust: Self.both)
    let found = try job.run(on: Self.card(), in: Self.context())
    #expect(found.conclusion == .proved)
    #expect(found.document?.validity.isExpired == false)
    #expect(found.ias?.number.description == "100200300401")
    #expect(found.failure == nil)
  }

  @Test func `read names groups that the card lacks`() throws {
    let job = DocumentJob(
      key: DocumentKey(can: "223606"), groups: [.dg1, .dg5],
      requiresValidity: false, trust: Self.both)
    let found = try job.run(on: Self.card(), in: Self.context())
    #expect(found.data.absent == [.dg5])
    #expect(found.data.zone?.issuingState == "ITA")
    #expect(found.data.portrait == nil)
    #expect(found.signer.anchor != nil)
  }

  /// The channel is opened a second time, because the card ended it; the next read of the program does not try again.
  @Test func `a card that ends its channel over a long answer is remembered`() throws {
    let options = try CardOptions(parsing: "no-extended-length=secured-read")
    let card = Conversation(
      source: .substitute(SoftwareCard(persona: .gemalto, options: options)))
    let first = Steps()
    var context = Self.context(first)
    for (steps, openings) in [(first, 2), (Steps(), 1)] {
      context.onProgress = { event, _ in if event.bytes == nil { steps.note(event.step) } }
      _ = try DocumentJob(
        key: DocumentKey(can: "223606"), requiresValidity: false, trust: Self.both
      ).run(on: card, in: context)
      #expect(steps.count(.openAccess) == openings)
      context = context.ofAnotherRun(.english)
      context.isQuiet = true
    }
  }

  @Test func `the progress of a long file is in kilobytes`() {
    let text = { (length: Int) in
      CardProgress(step: .readPortrait, bytes: (1991, length)).text(.english)
    }
    #expect(text(19_841) == "Reading the portrait: 2 of 20 kB")
    #expect(text(3999) == "Reading the portrait")
  }

  @Test func `many signatures take one try`() throws {
    let digests = try [[1], [2], [3]].map { try Digest(.sha256, hashing: $0) }
    let steps = Steps()
    let job = SignatureJob(digests: digests, pin: try Self.pin(), access: Self.access)
    let found = try job.run(on: Self.card(), in: Self.context(steps))
    #expect(found.list.map(\.assertion.digest) == digests)
    #expect(found.list.map(\.input) == ["0", "1", "2"])
    for signed in found.list {
      let assertion = signed.assertion
      #expect(
        assertion.certificate.verify(
          signature: assertion.signature, digest: assertion.digest.bytes, algorithm: .sha256))
    }
    #expect(steps.codes == 1)
  }

  @Test func `a wrong PIN is sent once, and the job has no second one`() throws {
    let (steps, pin) = (Steps(), try Self.pin("11223344"))
    let job = PINVerify(pin: .given(pin), holder: Self.holder)
    let card = try Self.card()
    for attempt in 0...1 {
      do throws(Failure) {
        _ = try job.run(on: card, in: Self.context(steps))
        Issue.record("no failure")
      } catch {
        switch error {
        case .card(let error) where attempt == 0:
          #expect(error.reason == .wrongCode(.pin, triesLeft: 2))
        case .code(.missing(.pin)) where attempt == 1: break
        default: Issue.record("\(error)")
        }
      }
    }
    #expect(steps.codes == 1)
  }

  @Test func `a PIN that stays the same reaches no card`() throws {
    let steps = Steps()
    let same = HeldCode(try AwaitedCode(.newPIN, Secret([UInt8](Persona.gemalto.pin.utf8))))
    let job = PINChange(pin: .given(try Self.pin()), newPIN: .given(same), holder: Self.holder)
    #expect(throws: Failure.self) { try job.run(on: Self.card(), in: Self.context(steps)) }
    #expect(steps.codes == 0)
  }

  @Test func `a certificate has ended once its last moment is over`() throws {
    var context = Self.context()
    for isLater in [false, true] {
      let found = try CertificateJob(pin: Self.pin(), access: Self.access)
        .run(on: Self.card(), in: context)
      #expect(found.hasEnded == isLater)
      context.present = .clock(UTCTime(seconds: found.certificate.notAfter.seconds + 1))
    }
  }

  @Test func `a certificate says whether others can compute its key`() throws {
    struct Vector: Decodable {
      let key: Key
      struct Key: Decodable { let certificate: HexBytes }
    }
    let recoverable = try Vectors.decode("roca", as: Vector.self).key.certificate.bytes
    for (der, isRecoverable) in [(recoverable, true), (Persona.gemalto.certificate, false)] {
      let found = HolderCertificate(
        certificate: try Certificate(der: der), hasEnded: false, clockProblem: nil)
      let members = JSON.object(Cert.Result(found: found).members(.english)).text
      #expect(members.contains("\"recoverableKey\":\(isRecoverable)"))
    }
  }
}
