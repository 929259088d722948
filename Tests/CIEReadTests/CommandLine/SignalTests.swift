import TestSupport
import Testing

@testable import CIECard
@testable import Messages
@testable import cie_read

/// What ends the program in time, and what is said of the way to the card.
@Suite struct SignalTests {
  /// The software card answers the command that it has; what comes after is not begun, and one end is told.
  @Test func `the end by a signal is told once`() throws {
    let program = try BuiltBinary("cie-read").path
    let result = try BuiltBinary(path: "/usr/bin/timeout").run(
      [
        "--preserve-status", "--signal", "TERM", "1", program, "nis", "--virtual", "--fault",
        "delay=3000@3", "--json",
      ], timeLimit: .seconds(30))
    #expect(result.exitStatus == 143)
    #expect(result.output.contains(#""command":"nis","error":{"name":"interrupted","exit":143"#))
    #expect(result.output.split(separator: "\n").count == 1)
  }

  @Test func `a service that is there is told from one that is not`() {
    let stopped = Diagnosis.serviceMissing(isInstalled: true)
    let absent = Diagnosis.serviceMissing(isInstalled: false)
    for diagnosis in [stopped, absent] {
      #expect(diagnosis.kind == .noService)
      #expect(diagnosis.name == "service-missing")
    }
    #expect(stopped.what(.english).contains("installed but not running"))
    #expect(stopped.advice(.english).contains("systemctl start pcscd.socket"))
    #expect(absent.what(.english).contains("not installed"))
    #expect(absent.advice(Language(locale: "it")).contains("apt install"))
  }

  @Test func `the advice fits the reader and the rights`() {
    let denied = Diagnosis(ChannelError.accessDenied)
    #expect(denied.kind == .noService)
    #expect(denied.advice(Language(locale: "it")).contains("/etc/polkit-1/rules.d"))
    let unavailable = Diagnosis(ChannelError.readerUnavailable("R"))
    #expect(unavailable.kind == .noReader)
    #expect(unavailable.what(.english).contains("R"))
    let lost = Diagnosis(ChannelError.transmissionFailed(code: 0x8010_0016))
    #expect(lost.kind == .cardLost)
    #expect(lost.what(.english).contains("0x80100016"))
  }

  /// What a transmission may be begun anew after: nothing that costs a try.
  @Test(arguments: [(0x20, false), (0x24, false), (0x2C, false), (0x88, true), (0xB0, true)])
  func `nothing is repeated after a code`(_ instruction: Int, _ isAllowed: Bool) {
    let watch = CodeWatch()
    let traits = ChannelTraits(atr: [], extendedLength: .unknown)
    #expect(!watch.allowsStartingOver)
    watch.note([0x0C, UInt8(instruction), 0, 1])
    watch.note(.transmissionFailed(code: 0x8010_0016), on: traits)
    #expect(watch.allowsStartingOver == isAllowed)
  }

  @Test func `a length is tried anew only where the reader carries it`() {
    let error = ChannelError.lengthNotCarried(length: 300)
    for (length, isAllowed) in [
      (ChannelTraits.ExtendedLength.unknown, false), (.notCarried, false),
      (.carried(maximumDataLength: 65_536), true), (.carried(maximumDataLength: 261), false),
    ] {
      let watch = CodeWatch()
      watch.note(error, on: ChannelTraits(atr: [], extendedLength: length))
      #expect(watch.allowsStartingOver == isAllowed)
    }
  }
}
