import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE
@testable import cie_lab

extension RealReader {
  /// A reader behind Debian's CCID driver, for features that vpcd lacks.
  @Suite struct SerialReader {
    /// A simple card, which echoes every command and counts them.
    private static func echo(
      _ count: Counter = Counter(), reset: @escaping @Sendable () -> Void = {}
    ) -> @Sendable () -> CardInReader {
      {
        CardInReader(answerToReset: InsertedCard.answerToReset, reset: reset) { command in
          count.increment()
          return .answer(command + [0x90, 0])
        }
      }
    }

    private static let data = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private static let long = [0, 0xD6, 0, 0, 0, 0x07, 0xD0] + data + [0, 0]
    private static let short = [0, 0xD6, 0, 0, 200] + data.prefix(200)

    private func open(for limit: Duration = .zero) throws -> PCSCContext.Channel {
      try PCSCContext().openCard(for: limit)
    }

    @Test func `the driver reports its properties, uses T=1 and splits long commands`() throws {
      let rig = try SerialRig(Self.echo())
      do {
        var channel = try open()
        #expect(channel.reader == SerialRig.name)
        #expect(
          channel.traits
            == ChannelTraits(
              atr: InsertedCard.answerToReset, extendedLength: .carried(maximumDataLength: 65_536)))
        #expect(try channel.transmit(Self.long) == Self.long + [0x90, 0])
      }
      #expect(try Attribute.answerToReset() == InsertedCard.answerToReset)
      withExtendedLifetime(rig) {}
    }

    @Test func `a reader for short commands reports that, and carries them`() throws {
      let rig = try SerialRig(Self.echo(), driverOptions: "0x0002")
      var channel = try open()
      #expect(channel.traits.extendedLength == .notCarried)
      #expect(try channel.transmit(Self.short) == Self.short + [0x90, 0])
      #expect(throws: ChannelError.lengthNotCarried(length: Self.long.count)) {
        try channel.transmit(Self.long)
      }
      #expect(try channel.transmit(Self.short) == Self.short + [0x90, 0])
      withExtendedLifetime(rig) {}
    }

    /// The driver and the card recover: no layer above notices, and no command is executed twice.
    @Test(arguments: ["parity", "damaged-answer", "damaged-command", "wtx"])
    func `one disturbed block is repaired by the driver`(_ fault: String) throws {
      let count = Counter()
      let rig = try SerialRig(Self.echo(count))
      var channel = try open()
      for number in 1...18 {
        rig.perform(.faults(try TransmissionFaults(parsing: "\(fault)@\(number)")))
        count.clear()
        for command in [Self.short, Array(Self.short.prefix(4))] {
          #expect(try channel.transmit(command) == command + [0x90, 0], "block \(number)")
        }
        #expect(count.value == 2, "block \(number)")
      }
    }

    @Test func `a lost block is reported as such; a reset recovers`() throws {
      let count = Counter()
      let rig = try SerialRig(Self.echo(count))
      for fault in ["lost-command", "lost-answer"] {
        try rig.exchange(Self.echo(count))
        do {
          var channel = try open(for: .seconds(60))
          rig.perform(.faults(try TransmissionFaults(parsing: "\(fault)@3")))
          #expect(throws: ChannelError.transmissionFailed(code: 0x8010_0016)) {
            try channel.transmit(Self.short)
          }
          // The driver's T=1 is dead until then.
          #expect(throws: ChannelError.self) { try channel.transmit(Self.short) }
        }
        rig.perform(.faults(TransmissionFaults()))
        var channel = try open(for: .seconds(60))
        #expect(try channel.transmit(Self.short) == Self.short + [0x90, 0])
      }
    }

    @Test func `a card that is mute at first is retried within the time limit`() throws {
      let rig = try SerialRig()
      rig.post(.faults(try TransmissionFaults(parsing: "mute@1-12")))
      rig.post(.insert(Self.echo()))
      let context = try PCSCContext()
      _ = try context.waitForCard(for: .seconds(60))
      #expect(throws: ChannelError.cardMute) { _ = try context.openCard(for: .zero) }
      var channel = try context.openCard(for: .seconds(30))
      #expect(try channel.transmit(Self.short).count == Self.short.count + 2)
      withExtendedLifetime(rig) {}
    }

    @Test func `a card just removed is gone, and the next one is found`() throws {
      let rig = try SerialRig(Self.echo())
      for _ in 1...3 {
        rig.post(.remove)
        // Long enough for the reader, too short for pcscd, which polls every 0.4 seconds.
        usleep(70_000)
        #expect(throws: ChannelError.noCard) { _ = try open() }
        rig.post(.insert(Self.echo()))
        _ = try open(for: .seconds(60))
        rig.post(.remove)
        usleep(70_000)
        let later = DispatchQueue(label: "later")
        let reader = rig.reader
        later.asyncAfter(deadline: .now() + .milliseconds(700)) {
          reader.post(.insert(Self.echo()))
        }
        _ = try open(for: .seconds(60))
        rig.post(.remove)
        rig.post(.insert(Self.echo()))
      }
    }

    @Test func `a card pulled during a serial command is gone`() throws {
      let rig = try SerialRig {
        CardInReader(answerToReset: InsertedCard.answerToReset, reset: {}) { _ in .leave }
      }
      var channel = try open()
      #expect(throws: ChannelError.cardRemoved) { try channel.transmit(Self.short) }
      withExtendedLifetime(rig) {}
    }

    @Test func `a silent reader is unavailable, not empty`() throws {
      let rig = try SerialRig()
      rig.post(.pull)
      let context = try PCSCContext()
      try PCSCRig.eventually("pcscd gives the reader up") {
        (try? context.readers().first?.isAvailable) == false
      }
      let unavailable = ChannelError.readerUnavailable(SerialRig.name)
      for limit in [Duration.zero, .seconds(600)] {
        #expect(throws: unavailable) { try context.waitForCard(for: limit) }
      }
      #expect(throws: unavailable) { _ = try context.connect(to: SerialRig.name) }
      let result = try BuiltBinary("cie-read").run(["nis", "--wait", "600", "--json"])
      #expect(result.exitStatus == 4)
      #expect(result.output.contains(#""name":"reader-unavailable""#))
      withExtendedLifetime(rig) {}
    }
  }
}

/// SCardGetAttrib, which vpcd lacks and the program itself does not need.
private enum Attribute {
  private typealias GetAttrib =
    @convention(c) (Int, UInt, UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt>) -> Int

  /// SCARD_ATTR_ATR_STRING of the card on the serial reader.
  static func answerToReset() throws -> [UInt8] {
    let library = try #require(dlopen("libpcsclite.so.1", RTLD_NOW))
    let symbol = try #require(dlsym(library, "SCardGetAttrib"))
    let get = unsafeBitCast(symbol, to: GetAttrib.self)
    let service = LibPCSCLite()
    let context = try service.establishContext()
    defer { service.releaseContext(context) }
    let card = try service.connect(context, reader: SerialRig.name, protocols: [.t1])
    defer { service.disconnect(card.handle, .leave) }
    var value = [UInt8](repeating: 0, count: 64)
    var length = UInt(value.count)
    #expect(get(card.handle, 0x90303, &value, &length) == 0)
    return Array(value.prefix(Int(length)))
  }
}
