import Glibc
import TestSupport
import Testing

@testable import CIECard
@testable import Messages
@testable import CardWork
@testable import cie_read

/// The ends of the program by time, and the message about the connection to the card.
@Suite struct SignalTests {
  /// The software card answers the current command; later ones do not begin, and one end is reported.
  @Test func `the end by a signal is reported once`() throws {
    let program = try BuiltBinary("cie-read").path
    let result = try BuiltBinary(path: "/usr/bin/timeout").run(
      [
        "--preserve-status", "--signal", "TERM", "1", program, "nis", "--virtual", "--fault",
        "delay=3000@3", "--json",
      ], timeLimit: .seconds(300))
    #expect(result.exitStatus == 143)
    #expect(result.output.contains(#""command":"nis","error":{"name":"interrupted","exit":143"#))
    #expect(result.output.split(separator: "\n").count == 1)
  }

  /// libxml2 loops if it gets no memory for a text: the program ends all the same, and reports the reason.
  @Test func `a deadline ends a program whose library hangs`() async {
    await #expect(processExitsWith: .exitCode(14)) {
      let interruption = Interruption()
      interruption.whenOverdue { _exit(interruption.passedDeadline == 1 ? 14 : 1) }
      interruption.expire(after: 1)
      for _ in 0..<60 { sleep(1) }
    }
  }

  @Test func `an installed service is distinguished from a missing one`() {
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

  /// The instructions after which a transmission may restart: none that costs a try.
  @Test(arguments: [(0x20, false), (0x24, false), (0x2C, false), (0x88, true), (0xB0, true)])
  func `no command is repeated after a code`(_ instruction: Int, _ isAllowed: Bool) {
    let watch = CodeWatch()
    let traits = ChannelTraits(atr: [], extendedLength: .unknown)
    #expect(!watch.allowsStartingOver)
    watch.note([0x0C, UInt8(instruction), 0, 1])
    watch.note(.transmissionFailed(code: 0x8010_0016), on: traits)
    #expect(watch.allowsStartingOver == isAllowed)
  }

  @Test func `a length is retried only if the reader carries it`() {
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
