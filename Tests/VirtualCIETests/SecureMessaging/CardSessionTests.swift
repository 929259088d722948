import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

/// The card's acceptances and refusals under secure messaging.
@Suite struct CardSessionTests {
  private let encryption = [UInt8](0..<16)
  private let authentication = [UInt8](16..<32)
  private let counter: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 9]

  private func session() -> CardSession {
    CardSession(
      SessionKeys(
        suite: .tripleDES, encryption: encryption, authentication: authentication,
        counter: counter))
  }

  private func mac(_ input: [UInt8]) throws -> [UInt8] {
    try RetailMAC.compute(input, key: Secret(authentication))
  }

  private var paddedHeader: [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, 10, 0x0C, 0x2C, 0x03, 0x81, 0x80, 0, 0, 0]
  }

  @Test func headerAlonePaddedTwice() throws {
    let mac = try mac(paddedHeader + [0x80, 0, 0, 0, 0, 0, 0, 0])
    #expect(try open([0x8E, 8] + mac).expected == nil)
  }

  @Test func headerAlonePaddedOnce() throws {
    #expect(try open([0x8E, 8] + mac(paddedHeader)).data == [])
  }

  @Test func emptyCommandWithDO97() throws {
    let mac = try mac(paddedHeader + [0x97, 1, 0, 0x80, 0, 0, 0, 0])
    #expect(try open([0x97, 1, 0, 0x8E, 8] + mac).expected == 256)
  }

  @Test func extendedDO97() throws {
    let mac = try mac(paddedHeader + [0x97, 2, 1, 2, 0x80, 0, 0, 0])
    #expect(try open([0x97, 2, 1, 2, 0x8E, 8] + mac).expected == 0x102)
  }

  @Test func onceIsNotEnoughWithDO97() throws {
    let mac = try mac(paddedHeader)
    #expect(refusal([0x97, 1, 0, 0x8E, 8] + mac) == .secureMessagingObjectIncorrect)
  }

  @Test func missingAndWrongObjectsAreRefused() throws {
    #expect(refusal([]) == .secureMessagingObjectMissing)
    #expect(refusal([0x97, 1, 0]) == .secureMessagingObjectMissing)
    #expect(refusal([0x8E, 8, 0]) == .secureMessagingObjectIncorrect)
    #expect(refusal([0x8E, 0]) == .secureMessagingObjectIncorrect)
    #expect(refusal([0x8E, 4, 1, 2, 3, 4]) == .secureMessagingObjectIncorrect)
    // A plain value object, a wrong padding indicator, DO85 with an even instruction, an object twice.
    for objects in [
      [0x81, 1, 0], [0x87, 9, 2] + encryption.prefix(8), [0x85, 8] + encryption.prefix(8),
      [0x97, 1, 0, 0x97, 1, 0],
    ] as [[UInt8]] {
      let mac = try mac(TestTerminal.pad(paddedHeader + objects))
      #expect(refusal(objects + [0x8E, 8] + mac) == .secureMessagingObjectIncorrect)
    }
    // An empty cryptogram, and one without padding.
    let zeros = try TripleDES.encrypt([UInt8](repeating: 0, count: 8), key: Secret(encryption))
    for objects in [[0x87, 1, 1], [0x87, 9, 1] + zeros] as [[UInt8]] {
      let mac = try mac(TestTerminal.pad(paddedHeader + objects))
      #expect(refusal(objects + [0x8E, 8] + mac) == .secureMessagingObjectIncorrect)
    }
  }

  @Test func everyChangedByteAndEveryPrefixIsRefused() throws {
    var terminal = TestTerminal(.gemalto)
    terminal.keys = (encryption, authentication)
    terminal.counter = 9
    let good = try terminal.wrap([0, 0x20, 0, 0x81], [UInt8](repeating: 0x31, count: 8), le: 0)
    #expect(accepted(good))
    // The last byte is the outer Le, which secure messaging does not cover.
    for index in good.indices.dropLast() {
      for change in UInt8(1)...255 {
        var bad = good
        bad[index] ^= change
        #expect(!accepted(bad), "byte \(index) changed by \(change)")
      }
    }
    for length in good.indices.dropLast() {
      #expect(!accepted([UInt8](good.prefix(length))), "prefix of \(length)")
    }
  }

  private func accepted(_ bytes: [UInt8]) -> Bool {
    guard let command = CardCommand(splitting: bytes), command.isSecured else { return false }
    var session = session()
    return (try? session.open(command)) != nil
  }

  private func open(_ body: [UInt8]) throws -> CardCommand {
    var session = session()
    return try session.open(CardCommand(cla: 0x0C, ins: 0x2C, p1: 0x03, p2: 0x81, data: body))
  }

  private func refusal(_ body: [UInt8]) -> Status? {
    do {
      _ = try open(body)
      return nil
    } catch { return (error as? Refusal)?.status }
  }
}
