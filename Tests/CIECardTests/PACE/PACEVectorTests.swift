import TestSupport
import Testing

@testable import CIECard

/// The terminal's side of PACE against the worked examples of Doc 9303-11 (appendices G, H, I) and runs of OpenPACE.
@Suite struct PACEVectorTests {
  /// The result of a run, without values that cannot be copied.
  enum Result: Equatable {
    case opened(encryption: [UInt8], authentication: [UInt8], mapping: ChipMapping?)
    case wrongPassword(StatusWord)
    case selection(StatusWord)
  }

  struct ChipMapping: Equatable {
    let chipData: [UInt8]
  }

  private func run(
    _ published: PACECase, answers: [[UInt8]], log: ScriptedChannel.Log
  ) throws -> Result {
    var channel = PlainChannel(
      ScriptedChannel(answers: answers, extended: .unknown, log: log), cardTakesExtended: false)
    let selection = try published.selection
    let code = try published.code()
    let status = try PACE.select(selection, for: code.kind, through: &channel)
    guard status == .success else { return .selection(status) }
    var random = PlannedRandom(draws: published.draws)
    switch try PACE.run(selection, code: code, through: &channel, random: &random) {
    case .opened(let session):
      #expect(random.draws.isEmpty)
      return .opened(
        encryption: session.keys.encryption.withBytes { [UInt8]($0) },
        authentication: session.keys.authentication.withBytes { [UInt8]($0) },
        mapping: session.chipProof.map { ChipMapping(chipData: $0.chipData) })
    case .wrongPassword(let status, _):
      return .wrongPassword(status)
    }
  }

  @Test(arguments: try PACECase.all())
  func run(_ published: PACECase) throws {
    let log = ScriptedChannel.Log()
    let result = try run(published, answers: published.apdus.map(\.rsp.bytes), log: log)
    #expect(log.commands == published.apdus.map(\.cmd.bytes))
    #expect(
      result
        == .opened(
          encryption: published.ksEnc.bytes, authentication: published.ksMac.bytes,
          mapping: published.caIc.map { ChipMapping(chipData: $0.bytes) }))
  }

  @Test(arguments: try PACECase.all())
  func passwordKey(_ published: PACECase) throws {
    let code = try published.code()
    #expect(code.password.withBytes { [UInt8]($0) } == published.pi.bytes)
    let key = try SessionKeys.derivePasswordKey(
      from: code.password, for: published.selection.info.protocol.cipher)
    #expect(key.withBytes { [UInt8]($0) } == published.kPi.bytes)
  }

  /// Appendix I: the mapping key must be CA_IC times the static key.
  @Test(arguments: try Vectors.cases("pace-cam", of: PACECase.self))
  func chipMapping(_ published: PACECase) throws {
    let staticKey = try #require(published.caPkIc).bytes
    let domain = try published.selection.domain
    let sent = try #require(published.apdus.dropFirst(2).first).rsp.bytes
    let mapping = [UInt8](sent.dropFirst(4).prefix(domain.generator.count))
    let data = try #require(published.caIc).bytes
    let proof = ChipMappingProof(mappingValue: mapping, chipData: data)
    #expect(proof.isConfirmed(by: staticKey, in: domain))
    #expect(!proof.isConfirmed(by: mapping, in: domain))
    var other = data
    other[0] ^= 1
    #expect(
      !ChipMappingProof(mappingValue: mapping, chipData: other)
        .isConfirmed(by: staticKey, in: domain))
  }

  struct Negative: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let baseFile: String
    let baseCase: String
    let replaceAnswerIndex: Int
    let answer: HexBytes
    var testDescription: String { name }
  }

  @Test(arguments: try Vectors.cases("pace-negative", of: Negative.self))
  func replacedAnswer(_ negative: Negative) throws {
    let file = String(negative.baseFile.dropLast(".json".count))
    let cases = try Vectors.cases(file, of: PACECase.self)
    let base = try #require(cases.first { $0.name == negative.baseCase })
    var answers = base.apdus.map(\.rsp.bytes)
    answers[negative.replaceAnswerIndex] = negative.answer.bytes
    // A refused MSE:Set AT is sent once more, with the parameters named; it is refused again.
    if negative.name.hasPrefix("mse-6a") { answers.insert(negative.answer.bytes, at: 0) }
    let log = ScriptedChannel.Log()
    var result: Result?
    var failure: CardError?
    do {
      result = try run(base, answers: answers, log: log)
    } catch let error as CardError {
      failure = error
    }
    let reason = failure?.reason
    switch negative.name {
    case "wrong-t-ic": #expect(reason == .chipNotAuthentic)
    case "same-public-key":
      #expect(reason == .unsafeParameters(.publicValue))
      // Before our token is sent.
      #expect(log.commands.count == 4)
    case "point-not-on-curve", "dh-public-one":
      #expect(reason == .unsafeParameters(.publicValue))
    case "wrong-password-6300": #expect(result == .wrongPassword(.authenticationFailed))
    case "wrong-password-63c2": #expect(result == .wrongPassword(.triesLeft(2)))
    case "mse-6a80", "mse-6a88":
      #expect(
        result == .selection(negative.name == "mse-6a80" ? .wrongData : .referencedDataNotFound))
      #expect(log.commands.count == 2)
      #expect(log.commands.last?.suffix(3) == [0x84, 0x01, 0x0D])
    case "mse-63cx-warning": #expect(result == .selection(.triesLeft(2)))
    case "nonce-odd-length": #expect(reason == .malformed(.length))
    case "missing-7c": #expect(reason == .malformed(.structure))
    case "dh-short-public-key-accepted":
      // The run continues with the next key; the rest of the base case then no longer fits.
      #expect(log.commands.count >= 4)
      #expect(reason != .unsafeParameters(.publicValue) && reason != .malformed(.length))
    default: Issue.record("no expectation for \(negative.name)")
    }
  }
}
