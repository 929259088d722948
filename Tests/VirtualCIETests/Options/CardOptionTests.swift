import CIECard
import Foundation
import TestSupport
import Testing

@testable import VirtualCIE

/// Cards that differ from their persona.
@Suite struct CardOptionTests {
  @Test func otherWaysOfPACE() throws {
    var terminal = try TestTerminal(.gemalto, options: "pace=im-aes128-13+gm-3des-2")
    try terminal.expect("00A40000")
    try terminal.expect("00A4020C02011C")
    #expect(
      try terminal.plain("00B0000000").data
        == Hex.bytes(
          "3128 3012060A04007F00070202040402 020102 02010D 3012060A04007F00070202040101 020102 020102"
        ))
    for text in ["im-aes128-13", "gm-3des-2"] {
      try terminal.pace(try #require(PACEProfile(parsing: text)))
      try terminal.expect("00A4000C")
    }
    #expect(throws: TestTerminal.Refused(status: 0x6A80)) {
      try terminal.pace(try #require(PACEProfile(parsing: "gm-aes128-13")))
    }
    // The same protocol with two sets of parameters: the terminal must choose.
    var double = try TestTerminal(.gemalto, options: "pace=gm-aes128-13+gm-aes128-12")
    let profile = try #require(PACEProfile(parsing: "gm-aes128-12"))
    #expect(throws: TestTerminal.Refused(status: 0x6A87)) { try double.pace(profile) }
    try double.pace(profile, parameter: true)
  }

  @Test func withoutCardAccessThereIsNoPACE() throws {
    var terminal = try TestTerminal(.gemalto, options: "no-card-access")
    try terminal.expect("00A40000")
    #expect(try terminal.plain("00A4020C02011C").status == 0x6A82)
    #expect(try terminal.plain("00B09C0000").status == 0x6A82)
    #expect(throws: TestTerminal.Refused(status: 0x6A80)) { try terminal.pace(.identityCard) }
  }

  @Test(arguments: Persona.all.map(\.identifier), [false, true])
  func extendedLengthForKeyAgreement(_ name: String, _ isRefused: Bool) throws {
    let persona = try #require(Persona.named(name))
    var terminal = try TestTerminal(
      persona, options: isRefused ? "pace=gm-3des-2,no-extended-length" : "pace=gm-3des-2")
    #expect(terminal.card.takesExtendedLength == !isRefused)
    if isRefused {
      #expect(throws: TestTerminal.Refused(status: 0x6700)) {
        try terminal.pace(.identityCard)
      }
      return
    }
    try terminal.pace(.identityCard)
    // Reading follows the family.
    #expect(try terminal.secure([0, 0xA4, 0, 0x0C]).status == 0x9000)
    let status = try terminal.secure([0, 0xB0, 0x9C, 0], le: 0, extended: true).status
    #expect(status == (name == "nxp" ? 0x6700 : 0x6282))
  }

  @Test(arguments: [(8, 12), (16, 20)]) func theNonceHasTheLengthAskedFor(
    _ length: Int, _ count: Int
  ) throws {
    var terminal = try TestTerminal(.gemalto, options: "nonce=\(length)")
    try terminal.expect("0022C1A40F800A04007F00070202040101830102")
    #expect(try terminal.plain("10860000027C0000").data.count == count)
    try terminal.pace(.identityCard)
  }

  @Test(
    arguments: [
      ("128:shorter", 0x9000, 128), ("128", 0x9000, 128), ("128:6cxx", 0x6C80, 0),
      ("128:6700", 0x6700, 0), ("256:6cxx", 0x9000, 231), ("1", 0x9000, 1),
    ] as [(String, UInt16, Int)])
  func readLimit(_ limit: String, _ status: UInt16, _ count: Int) throws {
    var terminal = try TestTerminal(.gemalto, options: "read-limit=\(limit)")
    try terminal.openDocument()
    let answer = try terminal.secure([0, 0xB0, 0x9D, 0], le: 0)
    #expect(answer.status == status && answer.data.count == count)
    #expect(try terminal.secure([0, 0xB0, 0x9D, 0], le: 1).status == 0x9000)
    if limit != "1" {
      #expect(try terminal.secure([0, 0xB0, 0x9D, 0], le: 128).data.count == 128)
      #expect(try terminal.secure([0, 0xB1, 0, 0x1D], [0x54, 1, 0], le: 128).data.count == 128)
    }
    try terminal.expect("00A40000")
    try terminal.expect("00A4020C02D004")
    let plain = try terminal.plain("00B0000000")
    #expect(plain.status == status && plain.data.count == count)
  }

  @Test func parameterRequired() throws {
    var terminal = try TestTerminal(.gemalto, options: "parameter-required")
    #expect(throws: TestTerminal.Refused(status: 0x6A87)) { try terminal.pace(.identityCard) }
    try terminal.pace(.identityCard, parameter: true)
  }

  @Test func holderPasswordsAndTheirTries() throws {
    let persona = Persona.gemalto
    var terminal = try TestTerminal(persona, options: "pin-passwords")
    let wrong = [UInt8]("00000000".utf8)
    let select = "0022C1A40F800A04007F00070202040101830103"
    for tries in [2, 1, 0] as [UInt16] {
      #expect(throws: TestTerminal.Refused(status: 0x63C0 | tries)) {
        try terminal.holder(wrong)
      }
      #expect(terminal.card.triesLeft.pin == Int(tries))
      #expect(try terminal.plain(select).status == 0x63C0 | tries)
      if tries == 1 {
        // The right one resets the counter.
        try terminal.holder([UInt8](persona.pin.utf8))
        #expect(terminal.card.triesLeft.pin == 3)
        for _ in 0..<2 { _ = try? terminal.holder(wrong) }
      }
    }
    #expect(try terminal.plain("10860000027C0000").status == 0x6983)
    // The card access number still opens, and is unrelated to the PIN.
    try terminal.pace(.identityCard)
    #expect(terminal.card.triesLeft == (0, 10))
    try terminal.pace(.identityCard, reference: 4, password: [UInt8](persona.puk.utf8))
    #expect(terminal.card.triesLeft == (0, 10))
  }

  @Test func aWrongPasswordShowsTriesThatNeverBlock() throws {
    var terminal = try TestTerminal(.gemalto, options: "shown-tries=2,failure-delay=1")
    for status in [0x63C1, 0x63C0, 0x63C0] as [UInt16] {
      #expect(throws: TestTerminal.Refused(status: status)) {
        try terminal.pace(.identityCard, password: [0])
      }
    }
    try terminal.pace(.identityCard)
    terminal.card.reset()
    #expect(throws: TestTerminal.Refused(status: 0x63C1)) {
      try terminal.pace(.identityCard, password: [0])
    }
  }

  /// Every option has a readable example. One with a value has a row in the README, a deviation its docstring.
  @Test func examplesAndTable() throws {
    let readme = try String(
      contentsOf: Repository.url("Sources/VirtualCIE/README.md"), encoding: .utf8)
    let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.dropFirst(2).prefix { $0 != "|" } }.joined(separator: " ")
    let shown = Set(CardOptions.examples.map { $0.prefix { $0 != "=" } })
    for name in CardOptions.optionNames {
      let word = name.prefix { $0 != "=" && $0 != "[" }
      #expect(shown.contains(word), "no example of \(word)")
      guard CardDeviation(rawValue: name) == nil else { continue }
      #expect(
        ["`", "=", "["].contains { rows.contains("`\(word)\($0)") }, "no row of \(word)")
    }
    for example in CardOptions.examples {
      #expect(try CardOptions(parsing: example) != CardOptions(), "\(example)")
    }
    #expect(
      try CardOptions(parsing: ["fcp-6f", "nonce=8,nonce=16"])
        == CardOptions(parsing: "fcp-6f,nonce=16"))
  }

  @Test func theTextFormNamesEveryOption() throws {
    var wanted = CardOptions()
    wanted.paceProfiles = [
      try #require(PACEProfile(mapping: .integrated, suite: .aes192, parameterIdentifier: 13)),
      .identityCard,
    ]
    wanted.refusesBasicAccess = true
    wanted.nonceLength = 8
    wanted.readLimit = .init(count: 100, style: .corrected)
    #expect(
      try CardOptions(
        parsing: "pace=im-aes192-13+gm-3des-2,no-bac,nonce=8,read-limit=100:6cxx") == wanted)
    for name in CardOptions.optionNames {
      let word = String(name.prefix { $0 != "[" && $0 != ":" })
        .replacing("PROFILE", with: "gm-3des-2").replacing("LENGTH", with: "8")
        .replacing("COUNT", with: "3").replacing("MILLISECONDS", with: "1")
        .replacing("WORD", with: "6B00").replacing("FORM", with: "two-bytes")
        .replacing("SIGNATURE", with: "sha1").replacing("NUMBER", with: "1")
      #expect(try CardOptions(parsing: word) != CardOptions(), "\(word)")
    }
  }

  @Test(arguments: [
    ("", CardOptions.ParsingError.unknownOption("")), ("no", .unknownOption("no")),
    ("no-bac=1", .badValue("no-bac")), ("nonce=12", .badValue("nonce")),
    ("nonce=24", .badValue("nonce")), ("read-limit=0", .badValue("read-limit")),
    ("read-limit=5:6", .badValue("read-limit")), ("pace", .badValue("pace")),
    ("pace=gm-3des", .badValue("pace")), ("pace=gm-3des-3", .badValue("pace")),
    ("pace=cam-3des-13", .badValue("pace")), ("pace=cam-aes128-2", .badValue("pace")),
    ("pace=im-aes128-10", .badValue("pace")), ("pace=gm-aes128-13+", .badValue("pace")),
    ("announced-length=four-bytes", .badValue("announced-length")),
    ("active-authentication", .badValue("active-authentication")),
    ("no-chip-key=0", .badValue("no-chip-key")),
    ("shown-tries=16", .badValue("shown-tries")), ("failure-delay=-1", .badValue("failure-delay")),
  ])
  func badText(_ text: String, _ error: CardOptions.ParsingError) {
    #expect(throws: error) { try CardOptions(parsing: text) }
  }
}

extension TestTerminal {
  /// PACE with the PIN, whose tries MSE may report.
  fileprivate mutating func holder(_ pin: [UInt8]) throws {
    try pace(.identityCard, reference: 3, password: pin)
  }
}
