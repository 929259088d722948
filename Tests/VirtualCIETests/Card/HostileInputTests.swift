import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// No input may stop the card: prefixes and changed bytes of good commands, at every layer.
@Suite struct HostileInputTests {
  private static let commands = [
    "00A4040C06A00000000039", "00A40204021004", "00B0840000", "00B100060454020000E7",
    "00CB3FFF0A4D087006BFA10102A380", "00CB3FFF0C4D0A7008BFA10104A3029700",
    "00CB3FFF0B4D097007BFA004037F4980", "00CB3FFF0A4D087006BF810102A080",
    "002241A406800102840183", "0084000008", "002281B606800141830184", "00200081083131313131313131",
    "002400811031313131313131313232323232323232", "002C02810831313131313131",
    "00C0000010", "00B08600000000", "00A4020C0000021003",
  ]

  @Test(arguments: commands) func everyChangedCommandGetsAnAnswer(_ hex: String) throws {
    let good = try Hex.bytes(hex)
    let card = VirtualCard(persona: .itj4)
    _ = try card.respond(to: Hex.bytes("00A4040C06A00000000039"))
    for bad in Self.variants(of: good) {
      #expect(try card.respond(to: bad).count >= 2)
    }
  }

  @Test(arguments: commands) func behindTheSecureChannel(_ hex: String) throws {
    var application = CardApplication(.gemalto, random: SeededRandom(seed: "hostile"))
    application.state.application = .identity
    application.state.devicesProven = true
    application.state.verified = [.pin, .puk]
    for bad in Self.variants(of: try Hex.bytes(hex)) {
      guard let command = CardCommand(splitting: bad) else { continue }
      var copy = application
      let answer = copy.execute(command, isSecured: true)
      #expect(answer.status.word >= 0x6100)
    }
  }

  @Test func certificateVariants() throws {
    var terminal = TestTerminal(.gemalto)
    try terminal.open()
    try terminal.agree()
    let good = try terminal.terminalCertificate(terminal.authorityKey())
    var application = CardApplication(.gemalto, random: SeededRandom(seed: "hostile"))
    application.state.verificationKey = .authority
    var accepted = 0
    for index in good.indices {
      for bad in [[UInt8](good.prefix(index)), good.flipping(1, at: index), good] {
        var copy = application
        let command = CardCommand(cla: 0x0C, ins: 0x2A, p1: 0, p2: 0xAE, data: bad)
        if copy.execute(command, isSecured: true).status == .success { accepted += 1 }
      }
    }
    #expect(accepted == good.count, "only the unchanged one")
  }

  @Test func randomBytesGetAnAnswer() throws {
    var random = SeededRandom(seed: "noise")
    let card = VirtualCard(persona: .itj4)
    for _ in 0..<2_000 {
      let length = try Int(random.bytes(1)[0]) % 40
      #expect(try card.respond(to: random.bytes(length)).count >= 2)
    }
  }

  private static func variants(of good: [UInt8]) -> [[UInt8]] {
    let prefixes = good.indices.map { [UInt8](good.prefix($0)) }
    let changes = good.indices.flatMap { index in
      (UInt8(1)...255).map { good.flipping($0, at: index) }
    }
    return prefixes + changes + [good + [0], good + good]
  }
}

extension [UInt8] {
  /// A copy with these bits of one byte inverted.
  fileprivate func flipping(_ bits: UInt8, at index: Int) -> [UInt8] {
    var copy = self
    copy[index] ^= bits
    return copy
  }
}
