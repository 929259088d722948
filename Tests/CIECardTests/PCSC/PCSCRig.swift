import Dispatch
import Foundation
import Glibc
import Primitives
import Testing

@testable import CIECard
@testable import cie_lab

/// The tests over the real pcscd with its virtual reader, as `tools/with-pcscd` starts them.
///
/// All their users are extensions of this suite, because one pcscd with two slots allows one test at a time. Without
/// them these tests are skipped, unless CI is set: then they fail.
@Suite(
  .serialized, .timeLimit(.minutes(20)),
  .enabled(
    if: PCSCRig.isExpected,
    "needs pcscd and the virtual reader: tools/run-tests, or tools/with-pcscd swift test"))
enum RealReader {}

/// The private pcscd: the tests' actions on it.
enum PCSCRig {
  /// True if `tools/with-pcscd` has started a service that the tests may stop.
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
    // Only after it has released the port of its virtual reader, because the next one would start without.
    try eventually("the process has ended") { hasEnded(process) }
    // Until it does not answer; a killed one leaves its files behind, which would keep the next from starting.
    try eventually("pcscd is gone") { (try? PCSCContext()) == nil }
    unlink("/run/pcscd/pcscd.comm")
    unlink("/run/pcscd/pcscd.pid")
  }

  /// Restarts pcscd.
  ///
  /// - Parameters:
  ///   - options: of its command line.
  ///   - variables: added to its environment, `NAME=VALUE`.
  ///   - readers: the number of readers that it must find.
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

  /// Waits for a condition, ten seconds at most.
  static func eventually(_ what: Comment, _ isTrue: () -> Bool) throws {
    for _ in 0..<1000 {
      if isTrue() { return }
      usleep(10_000)
    }
    try #require(Bool(false), what)
  }

  /// The number of cards that pcscd has seen come and go in a reader; nil for an absent reader.
  static func events(in reader: String) -> UInt32? {
    let states = try? PCSCContext().status(of: [ReaderStatus(name: reader)])
    return states?.first.map { $0.state >> 16 }
  }

  /// Checks whether a process has ended, or is a zombie: state Z after the name in brackets.
  ///
  /// The first thread is in that state before the others have ended, and each of them keeps the files open.
  private static func hasEnded(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 64)
    let count = fread(&line, 1, line.count, file)
    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return String(decoding: line.prefix(count), as: UTF8.self).contains(") Z ")
      && (threads ?? []).count <= 1
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

/// A card in a slot of the virtual reader, on its own thread, until it is released.
final class InsertedCard {
  private let link: VPCDLink
  private let reader: String
  private let insertion: UInt32

  /// An answer to reset that announces T=1, with four arbitrary historical bytes.
  static let answerToReset: [UInt8] = [0x3B, 0x84, 0x80, 0x01, 0x53, 0x54, 0x55, 0x42, 0x15]

  /// Inserts a simple card, which echoes every command by default.
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

  /// Inserts a card, which is made and lives on the thread of its reader, and waits until pcscd has seen it.
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

  /// Takes the card out, without waiting for an effect.
  func remove() { link.remove() }

  deinit {
    remove()
    // Only once the reader is empty: a failed reset empties it, too, and then pcscd would miss the next card.
    try? PCSCRig.eventually("pcscd has seen the card leave") {
      PCSCRig.events(in: reader) != insertion
    }
  }
}
