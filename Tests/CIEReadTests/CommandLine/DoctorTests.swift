import CIECard
import Foundation
import Messages
import TestSupport
import Testing

@testable import CardWork
@testable import cie_read

/// The findings of `doctor`, and its conclusions.
@Suite struct DoctorTests {
  private let anchors = TrustStore.italian
  /// Without the browsers of this machine's user.
  private let homeless = ["HOME": ""]

  private func system(_ modules: String = "", now: UTCTime = .now) -> SystemCheck {
    SystemCheck(modules: modules, now: now, anchors: anchors)
  }

  /// The form of proc(5).
  @Test func `a kernel module that claims readers is reported, with the remedy`() {
    let finding = system(
      "xhci_hcd 319488 0 - Live 0x0\npn533_usb 24576 0 - Live 0x0\npn533 49152 1 pn533_usb, Live 0x0\n"
    ).moduleFinding
    #expect(finding.grade == .warning)
    #expect(finding.what(.english).contains("pn533_usb pn533"))
    #expect(finding.remedy?(.english).contains("modprobe -r pn533_usb pn533") == true)
    #expect(system("pn533_other 1 0 - Live 0x0\n").moduleFinding.grade == .ok)
  }

  @Test func `a clock before the newest anchor is a problem`() throws {
    let newest = TrustStore.newestBuiltIn
    #expect(system(now: newest).clockFinding.grade == .ok)
    let early = system(now: UTCTime(seconds: newest.seconds - 1)).clockFinding
    #expect(early.grade == .problem && early.failure?.name == "clock-early")
    #expect(early.command == "sudo timedatectl set-ntp true")
  }

  @Test func `anchors that have all expired are reported`() {
    #expect(system().anchorFinding.grade == .ok)
    #expect(system(now: UTCTime(seconds: 1 << 33)).anchorFinding.grade == .warning)
  }

  @Test func `the log of the module is explained by its last failure`() {
    let head = "2026-11-22T08:00:00.000Z 12 ab "
    let refused =
      head
      + "slot 0: verify-pin: wrongCode(CIECard.CardError.CodeKind.pin, triesLeft: Optional(2))\n"
    let failed = ModuleLog(head + "C_Login(1) = CKR_PIN_INCORRECT 9.1 ms\n" + refused).findings
    #expect(failed.map(\.grade) == [.ok, .warning, .warning])
    #expect(failed.last?.what(.english).contains("2 tries") == true)
    let mended = ModuleLog(refused + head + "C_Login(1) = CKR_OK 9.1 ms\n").findings
    #expect(mended.map(\.grade) == [.ok, .ok, .ok])
    #expect(ModuleLog("not a log\n").findings.map(\.grade) == [.warning])
  }

  @Test func `a reader is judged by its driver before its name`() {
    let short = ReaderCheck.finding("ACS ACR122U", .carried(maximumDataLength: 65_536))
    #expect(short.grade == .ok)
    #expect(ReaderCheck.finding("ACS ACR122U", .unknown).grade == .warning)
    #expect(ReaderCheck.finding("Another", .notCarried).grade == .warning)
    #expect(ReaderCheck.finding("Another", .unknown).grade == .ok)
  }

  @Test func `the serial number of a reader stays out of a report`() {
    let name = "Gemalto PC Twin Reader (70D7E2EE) 00 00"
    #expect(ShareableReport.withoutSerialNumber(name) == "Gemalto PC Twin Reader (…) 00 00")
    #expect(ShareableReport.withoutSerialNumber("ACS [CCID] 00 00") == "ACS [CCID] 00 00")
    for number in ["12.34 AB", "a_b:c", "x", "AB)(CD", "12 (3)"] {
      #expect(ShareableReport.withoutSerialNumber("R (\(number)) 00 00") == "R (…) 00 00")
    }
    #expect(ShareableReport.withoutSerialNumber("R (12") == "R (…)")
  }

  @Test func `a good card is ok, and what was not looked at says so`() throws {
    let (object, result) = try Program.json(["doctor", "--virtual"], environment: homeless)
    #expect(result.exitStatus == 0)
    #expect(object["headline"] as? String == "No problems found.")
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(
      findings.compactMap { $0["name"] as? String } == [
        "card", "pin-tries", "puk-tries", "kernel-modules", "clock", "anchors", "trusted-lists",
        "network",
      ])
    #expect(
      findings.allSatisfy {
        Set($0.keys) == ["name", "grade", "what", "do", "error", "command", "repair"]
      })
    for finding in findings where finding["name"] as? String != "kernel-modules" {
      let isOpen = ["network", "trusted-lists"].contains(finding["name"] as? String)
      #expect(finding["grade"] as? String == (isOpen ? "not-checked" : "ok"))
    }
    let plain = try Program.run(["doctor", "--virtual"], environment: homeless)
    #expect(plain.output.contains("\nnot checked  The network") && plain.errors == "")
  }

  @Test func `a browser that does not know the card, or whose module is gone, has a repair`() throws
  {
    let home = try TemporaryDirectory()
    try home.makeFolder(".mozilla/firefox/abc.default")
    try home.write(".mozilla/firefox/profiles.ini", "[Profile0]\nPath=abc.default\n".utf8)
    let user = home.homeVariables
    func browsers() throws -> [String] {
      let (object, result) = try Program.json(["doctor", "--virtual"], environment: user)
      #expect(result.exitStatus == 0)
      return try #require(object["findings"] as? [[String: Any]])
        .filter { $0["name"] as? String == "browser" }
        .map { "\($0["grade"] ?? "") \($0["repair"] as? String ?? "-")" }
    }
    #expect(try browsers() == ["warning firefox"])
    let module = try home.write("module.so", [UInt8].module())
    let install = ["browser", "install", "firefox", "--module", module]
    #expect(try Program.run(install, environment: user).exitStatus == 0)
    #expect(try browsers() == ["ok -"])
    try home.write("module.so", [])
    #expect(try browsers() == ["warning -"])
    try FileManager.default.removeItem(atPath: module)
    #expect(try browsers() == ["warning firefox"])
  }

  /// A CSCA that is not trusted here: no PIN goes to such a card, and `doctor` says so before anybody wonders.
  @Test(arguments: ["gemalto", "nxp", "st", "itj4"])
  func `a card that is not trusted here is told, with what to do`(_ persona: String) throws {
    let folder = try TemporaryDirectory()
    let other = try folder.write("other.der", try #require(anchors.certificates.first).der)
    let card = ["--virtual", persona]
    let (object, result) = try Program.json(
      ["doctor"] + card + ["--trust-only", other], environment: homeless)
    #expect(result.exitStatus == 0)
    #expect(object["headline"] as? String != "No problems found.")
    let findings = try #require(object["findings"] as? [[String: Any]])
    let finding = try #require(findings.first { $0["name"] as? String == "trust" })
    #expect(finding["grade"] as? String == "warning")
    #expect((finding["what"] as? String)?.contains("No command with the PIN") == true)
    #expect((finding["do"] as? String)?.contains("cie-read trust import") == true)
    // With its own authority there is nothing to say.
    let (trusted, _) = try Program.json(["doctor"] + card, environment: homeless)
    let names = (trusted["findings"] as? [[String: Any]] ?? []).map { $0["name"] as? String }
    #expect(!names.contains("trust"))
  }

  @Test func `the log of the module names why a card could not be used`() {
    let head = "2026-11-22T08:00:00.000Z 12 ab "
    let calls = head + "C_Login(1) = CKR_DEVICE_ERROR 9.1 ms\n" + head
    let named = [
      ("slot 0: open-card: channel(CIECard.ChannelError.sharingViolation)", "sharing-violation"),
      ("slot 0: open-card: channel(CIECard.ChannelError.cardMute)", "card-mute"),
      ("slot 0: verify-pin: channel(CIECard.ChannelError.cardRemoved)", "card-removed"),
      (
        "slot 0: open-card: channel(CIECard.ChannelError.serviceUnresponsive)",
        "service-not-answering"
      ),
    ]
    for (line, name) in named {
      let finding = ModuleLog(calls + line + "\n").findings.last
      #expect(finding?.grade == .warning)
      let error: ChannelError? =
        switch name {
        case "sharing-violation": .sharingViolation
        case "card-mute": .cardMute
        case "card-removed": .cardRemoved
        default: .serviceUnresponsive
        }
      #expect(finding?.what(.english) == error.map { Diagnosis($0).what(.english) })
    }
    let issuer = "genuinenessUnknown(CIECard.AuthenticityReport.Obstacle.issuerUnknown(CN=x))"
    let trust = ModuleLog(calls + "slot 0: read-security-object: \(issuer)\n").findings
    #expect(trust.count == 3)
  }

  @Test func `programs that may hold a card are found by the library that they have loaded`() throws
  {
    let root = try TemporaryDirectory()
    let library = "7f00-7f01 r-xp 0 00:00 1 /usr/lib/x86_64-linux-gnu/libpcsclite.so.1.0.0\n"
    for (number, name, maps) in [
      (11, "scdaemon", library), (12, "bash", "7f00 /usr/lib/libc.so.6\n"), (13, "pcscd", library),
      (14, "firefox", "x\n" + library), (15, "own", library),
    ] {
      try root.makeFolder("\(number)")
      try root.write("\(number)/comm", (name + "\n").utf8)
      try root.write("\(number)/maps", maps.utf8)
    }
    try root.makeFolder("16")
    let holders = CardHolders(in: root.url.path, except: 15)
    #expect(holders.holders.map(\.name) == ["scdaemon", "firefox"])
    let finding = holders.finding("card", Diagnosis(ChannelError.sharingViolation))
    #expect(finding.what(.english).contains("scdaemon (11), firefox (14)"))
    #expect(finding.command == "gpgconf --kill scdaemon")
    let none = CardHolders(in: root.path("16"), except: 1)
    #expect(none.holders.isEmpty)
    #expect(none.finding("card", Diagnosis(ChannelError.sharingViolation)).grade == .problem)
  }

  /// In the list, and not once more below it.
  @Test func `a problem is reported once`() throws {
    let result = try Program.run(["doctor", "--virtual", "--fault", "card-mute@1"])
    #expect(result.exitStatus == 9)
    #expect(result.output.hasPrefix("One problem is in the way.\n"))
    #expect(result.errors.hasPrefix("cie-read: [card-mute"), "\(result.errors)")
    #expect(result.errors.hasSuffix("; exit 9]\n") && result.errors.count { $0 == "\n" } == 1)
  }

  /// A card of another kind, which knows none of the applications.
  private static let stranger = (1...8).map { "status=6A82@A4:\($0)" }.joined(separator: ",")

  @Test(arguments: [("card-mute@1", Int32(9)), (stranger, Int32(6))])
  func `the exit code is that of the problem`(_ fault: String, _ status: Int32) throws {
    let (object, result) = try Program.json(
      ["doctor", "--virtual", "--fault", fault], environment: homeless)
    #expect(result.exitStatus == status)
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.first?["grade"] as? String == "problem")
    #expect(findings.count == 6, "what needs no card is looked at all the same")
  }

  /// It spends no last try, and has no option for it: it names the command that has.
  @Test func `its advice about the last try can be followed`() throws {
    let directory = try TemporaryDirectory()
    let log =
      "2026-11-22 1 1 C_Login(session 1, user 1, 8 bytes) = CKR_PIN_LOCKED 9 ms\n"
      + "2026-11-22 1 1 slot 0: verify-pin: lastTryRefused(CIECard.CardError.CodeKind.pin)\n"
    let path = try directory.write("log", [UInt8](log.utf8))
    let (object, _) = try Program.json(["doctor", "--virtual", "--module-log", path])
    let findings = try #require(object["findings"] as? [[String: Any]])
    let advice = findings.compactMap { $0["do"] as? String }
      .filter { $0.contains("--allow-last-try") }
    #expect(advice.count == 1)
    #expect(advice.allSatisfy { $0.contains("cie-read pin verify --allow-last-try") })
    let told = Diagnosis(inDoctor: CardError(.verifyPIN, .lastTryRefused(.pin))).advice
    #expect(told.asTold(by: "cie-read")(.english) == advice.first)
  }
}
