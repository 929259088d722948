import Dispatch
import Synchronization
import Testing

@testable import CIECard
@testable import cie_lab

extension RealReader {
  /// Commands and answers through pcscd.
  @Suite struct Commands {
    let context: PCSCContext
    let reader = PCSCRig.readers[0]

    init() throws { context = try PCSCContext() }

    @Test func `a card is found, connected and answers`() throws {
      let card = try InsertedCard()
      let reader = try context.waitForCard(for: .seconds(30))
      var channel = try context.connect(to: reader)
      #expect(channel.reader == "Virtual PCD 00 00")
      #expect(channel.traits.atr == InsertedCard.answerToReset)
      // vpcd 3.3 has no properties of PC/SC part 10.
      #expect(channel.traits.extendedLength == .unknown)
      #expect(try channel.transmit([0, 0xA4, 4, 0]) == [0, 0xA4, 4, 0, 0x90, 0])
      withExtendedLifetime(card) {}
    }

    @Test func `extended commands and answers of two thousand bytes pass`() throws {
      let card = try InsertedCard()
      var channel = try context.connect(to: reader)
      let data = (0..<2000).map { UInt8($0 & 0xFF) }
      let command = [0, 0xD6, 0, 0, 0, 0x07, 0xD0] + data + [0, 0]
      #expect(try channel.transmit(command) == command + [0x90, 0])
      withExtendedLifetime(card) {}
    }

    @Test func `the longest answer passes`() throws {
      // One frame of vpcd holds 65 535 bytes.
      let card = try InsertedCard(respond: { _ in
        .answer([UInt8](repeating: 7, count: 65_533) + [0x90, 0])
      })
      var channel = try context.connect(to: reader)
      #expect(try channel.transmit([0, 0xB0, 0, 0, 0, 0, 0]).count == 65_535)
      withExtendedLifetime(card) {}
    }

    @Test func `an answer of one byte is no answer`() throws {
      let card = try InsertedCard(respond: { _ in .answer([0x90]) })
      var channel = try context.connect(to: reader)
      #expect(throws: ChannelError.truncatedResponse(length: 1)) {
        try channel.transmit([0, 0xA4, 4, 0])
      }
      withExtendedLifetime(card) {}
    }

    @Test func `a card pulled while a command runs is gone`() throws {
      let card = try InsertedCard(respond: { _ in .leave })
      var channel = try context.connect(to: reader)
      #expect(throws: ChannelError.cardRemoved) { try channel.transmit([0, 0xA4, 4, 0]) }
      withExtendedLifetime(card) {}
    }

    @Test func `a card pulled between commands is gone`() throws {
      let card = try InsertedCard()
      var channel = try context.connect(to: reader)
      #expect(try channel.transmit([0, 0xA4, 4, 0]).count == 6)
      card.remove()
      // At first only the driver knows it, later pcscd too.
      for _ in 1...2 {
        #expect(throws: ChannelError.cardRemoved) { try channel.transmit([0, 0xA4, 4, 0]) }
      }
    }

    @Test func `a card that does not answer is mute, not waited for again, and reset`() throws {
      let answers = DispatchSemaphore(value: 0)
      let resets = Counter()
      let card = try InsertedCard(
        reset: { resets.increment() },
        respond: { command in
          answers.wait()
          return .answer([0x90, 0])
        })
      do {
        let context = try PCSCContext(
          service: LibPCSCLite(), patience: .init(command: .milliseconds(300)))
        var channel = try context.connect(to: reader)
        for _ in 1...2 {
          #expect(throws: ChannelError.cardMute) { try channel.transmit([0, 0xA4, 4, 0]) }
        }
      }
      let before = resets.value
      answers.signal()
      // The abandoned call releases the card as soon as it can.
      try PCSCRig.eventually("the card is reset") { resets.value > before }
      withExtendedLifetime(card) {}
    }

    @Test func `releasing the channel resets the card`() throws {
      let resets = Counter()
      let card = try InsertedCard(reset: { resets.increment() })
      var channel: PCSCContext.Channel? = try context.connect(to: reader)
      let before = resets.value
      #expect(try channel?.transmit([0, 0xA4, 4, 0]).count == 6)
      channel = nil
      #expect(resets.value > before)
      withExtendedLifetime(card) {}
    }
  }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func clear() { count.store(0, ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
