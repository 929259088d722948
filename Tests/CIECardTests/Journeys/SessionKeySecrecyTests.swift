import Traces
import Foundation
import TestSupport
import Testing
import VirtualCIE

@testable import CIECard

/// The session keys of a recorded conversation, recomputed from its random draws, appear nowhere in the program's text
/// about it.
@Suite struct SessionKeySecrecyTests {
  private static let path = "CardTraces/virtual/gemalto-certificate.trace"

  private let trace: Trace
  /// KENC and KMAC.
  private let keys: [[UInt8]]
  private let sharedSecret: [UInt8]

  init() throws {
    let text = [UInt8](try String(contentsOf: Repository.url(Self.path), encoding: .utf8).utf8)
    trace = try Trace(parsing: text)
    var exponent = try #require(trace.header.random.first)
    try #require(exponent.count == 32)
    exponent[0] = exponent[0] & 0x7F | 0x40
    let parameters = try Self.answer(to: SecurityDataObject.domainParameters, in: trace)
    let modulus = try TLVCursor(parameters).first(0x70).contents.first(0xBFA101).contents
      .first(0xA3).contents.first(0x98).bytes
    let value = try TLVCursor(Self.answer(to: SecurityDataObject.publicValue, in: trace))
      .first(0xA6).contents.first(0x91).bytes
    let secret = try ModularArithmetic.power(value, exponent, modulus: modulus)
    sharedSecret = secret
    keys = try (UInt8(1)...2).map { counter in
      [UInt8](try HashAlgorithm.sha256.hash(secret, [0, 0, 0, counter]).prefix(16))
    }
  }

  /// The data of the answer to a command, GET RESPONSE included.
  private static func answer(to command: CommandAPDU, in trace: Trace) throws -> [UInt8] {
    let encoded = try #require(command.encoded(.short))
    let start = try #require(trace.entries.firstIndex(of: .command(encoded)))
    var data: [UInt8] = []
    for entry in trace.entries[(start + 1)...] {
      guard case .answer(let answer) = entry else { continue }
      data += answer.dropLast(2)
      if answer.suffix(2).first != 0x61 { return data }
    }
    return data
  }

  @Test func recomputedKeysAreTheRightOnes() throws {
    var messaging = SecureMessaging(
      keys: SessionKeys(encryption: Secret(keys[0]), authentication: Secret(keys[1])),
      counter: .one)
    let first = try messaging.protect(
      CommandAPDU(0x22, 0x81, 0xB6, data: [0x80, 0x01, 0x41, 0x83, 0x01, 0x84]), form: .short)
    #expect(trace.entries.contains(.command(first)))
  }

  @Test(arguments: ["--json", "--language=it"])
  func programKeepsThemToItself(option: String) throws {
    let persona = try #require(Persona.named("gemalto"))
    let result = try BuiltBinary("cie-read").run(
      ["cert", "--replay", Repository.url(Self.path).path, option],
      input: [UInt8]("\(persona.pin)\n".utf8))
    #expect(result.exitStatus == 0)
    try expectNoSecret(in: result.output + result.errors)
  }

  @Test func diaryKeepsThemToItself() throws {
    let recorder = TraceRecorder()
    var random = ReplayRandom(trace)
    let channel = RecordingChannel(ReplayChannel(trace), recorder: recorder)
    _ = try JourneyRunner(trace.header.journey, at: TestClock.now).run(
      over: channel, random: &random)
    try expectNoSecret(in: recorder.diagnosticText)
  }

  private func expectNoSecret(in written: String) throws {
    #expect(written.count > 1000)
    for secret in keys + [sharedSecret] {
      #expect(!written.uppercased().contains(Hex.text(secret).uppercased()))
    }
    let persona = try #require(Persona.named("gemalto"))
    #expect(!written.contains(persona.pin))
  }
}
