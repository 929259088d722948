import Dispatch
import Glibc
import System
import Testing

@testable import CIECard
@testable import cie_lab

/// What runs over the real pcscd with its virtual reader, as `tools/with-pcscd` starts them.
///
/// Everything that uses them is an extension of this suite: there is one pcscd and it has two slots, so one test
/// at a time. Without them these tests are left out; but not where CI is set: there they fail.
@Suite(
  .serialized, .timeLimit(.minutes(20)),
  .enabled(
    if: PCSCRig.isExpected,
    "needs pcscd and the virtual reader: tools/run-tests, or tools/with-pcscd swift test"))
enum RealReader {}

/// The private pcscd: what the tests may do with it.
enum PCSCRig {
  /// `tools/with-pcscd` says that there is a service which the tests may stop.
  static var isUp: Bool { getenv("PRIVATE_PCSCD") != nil }
  static var isExpected: Bool { isUp || getenv("CI") != nil }

  /// The readers of Debian's vpcd; slot n listens on port 35963 + n.
  static let readers = ["Virtual PCD 00 00", "Virtual PCD 00 01"]

  /// Sends pcscd a signal.
  static func signalService(_ signal: Int32) throws {
    try #require(kill(try #require(servicePID()), signal) == 0)
  }

  /// Ends pcscd by a signal.
  static func stopService(_ signal: Int32) throws {
    let process = try #require(servicePID())
    try signalService(signal)
    // Not before it has let go of the port on which its virtual reader listens: the next one would go without.
    try eventually("the process has ended") { hasEnded(process) }
    // Until nobody answers; a killed one leaves its files behind, which would keep the next from starting.
    try eventually("pcscd is gone") { (try? PCSCContext()) == nil }
    unlink("/run/pcscd/pcscd.comm")
    unlink("/run/pcscd/pcscd.pid")
  }

  /// Starts pcscd anew.
  ///
  /// - Parameters:
  ///   - options: of its command line.
  ///   - variables: added to its environment, `NAME=VALUE`.
  ///   - readers: how many it must find.
  static func startService(
    _ options: [String] = [], variables: [String] = [], readers: Int = PCSCRig.readers.count
  ) throws {
    let log = ChildProcess.Stream.file("/run/pcscd/log", flags: O_WRONLY | O_APPEND)
    _ = try ChildProcess(
      "/usr/sbin/pcscd", ["--foreground"] + options,
      environment: variables + ["PATH=/usr/sbin:/usr/bin"], streams: [1: log, 2: log],
      group: .inherited)
    try eventually("pcscd answers") { (try? PCSCContext().readers().count) == readers }
  }

  /// Waits until something becomes true, for ten seconds at most.
  static func eventually(_ what: Comment, _ isTrue: () -> Bool) throws {
    for _ in 0..<1000 {
      if isTrue() { return }
      usleep(10_000)
    }
    try #require(Bool(false), what)
  }

  /// How many cards pcscd has seen come and go in a reader; nil when it is not there.
  static func events(in reader: String) -> UInt32? {
    let states = try? PCSCContext().status(of: [ReaderStatus(name: reader)])
    return states?.first.map { $0.state >> 16 }
  }

  /// Whether a process is gone, or is there in name only until its parent asks: state Z after the name in brackets.
  private static func hasEnded(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 64)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line.prefix(count), as: UTF8.self).contains(") Z ")
  }

  /// The process number in pcscd's own file, which ends in a NUL byte.
  private static func servicePID() -> pid_t? {
    guard let file = fopen("/run/pcscd/pcscd.pid", "r") else { return nil }
    defer { fclose(file) }
    var digits = [UInt8](repeating: 0, count: 16)
    let count = fread(&digits, 1, digits.count, file)
    return pid_t(String(decoding: digits.prefix(count).prefix { $0 >= 0x30 }, as: UTF8.self))
  }
}

/// A card in a slot of the virtual reader, on a thread of its own, until it is let go of.
final class InsertedCard {
  private let link: VPCDLink
  private let reader: String
  private let insertion: UInt32

  /// An answer to reset that announces T=1, with four historical bytes of no card in particular.
  static let answerToReset: [UInt8] = [0x3B, 0x84, 0x80, 0x01, 0x53, 0x54, 0x55, 0x42, 0x15]

  /// Puts a card of few talents in, which echoes every command unless told otherwise.
  convenience init(
    slot: Int = 0, answerToReset: [UInt8] = InsertedCard.answerToReset,
    reset: @escaping @Sendable () -> Void = {},
    respond: @escaping @Sendable ([UInt8]) -> CardInReader.Reaction = {
      .answer($0 + [0x90, 0x00])
    }
  ) throws {
    try self.init(slot: slot) {
      CardInReader(answerToReset: answerToReset, reset: reset, respond: respond)
    }
  }

  /// Puts a card in, which is made and lives on the thread of its reader, and waits until pcscd has seen it.
  init(slot: Int = 0, _ make: @escaping @Sendable () -> CardInReader) throws {
    try #require(PCSCRig.isUp, "CI is set, but there is no tools/with-pcscd around the tests")
    let link = try VPCDLink(port: 35963 + UInt16(slot))
    let inserted = DispatchSemaphore(value: 0)
    self.link = link
    reader = PCSCRig.readers[slot]
    DispatchQueue(label: "card").async { make().serve(link) { inserted.signal() } }
    try #require(inserted.wait(timeout: .now() + 10) == .success)
    _ = try PCSCContext().waitForCard(in: .named(reader), for: .seconds(30))
    insertion = try #require(PCSCRig.events(in: reader))
  }

  /// Takes the card out, without waiting for anybody to notice.
  func remove() { link.remove() }

  deinit {
    remove()
    // Not until the reader is empty: a failed reset empties it, too, and then pcscd would miss the next card.
    try? PCSCRig.eventually("pcscd has seen the card leave") {
      PCSCRig.events(in: reader) != insertion
    }
  }
}
