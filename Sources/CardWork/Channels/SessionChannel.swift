package import CIECard

/// The channel of a run, to a reader, a software card or a recording.
///
/// It sends no further command once a signal has come, or the time is up. The running command finishes, if it does so
/// soon.
package struct SessionChannel: CardChannel, ~Copyable {
  private let inner: AnyCardChannel
  private let interruption: Interruption
  private let watch: CodeWatch

  package var traits: ChannelTraits { inner.traits }

  init(_ inner: consuming AnyCardChannel, _ interruption: Interruption, _ watch: CodeWatch) {
    self.inner = inner
    self.interruption = interruption
    self.watch = watch
    interruption.noteCard()
  }

  package mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard !interruption.isOver else { throw .withheld }
    watch.note(command)
    interruption.note(settingPIN: CardError.Step(settingPIN: command))
    do throws(ChannelError) {
      let answer = try interruption.exchanging { () throws(ChannelError) in
        try inner.transmit(command)
      }
      interruption.note(settingPIN: nil)
      watch.noteAnswer()
      return answer
    } catch {
      // The note stays, for a program that ends before it gets this error.
      watch.note(error, on: traits)
      // Ignores the driver's error because we cancelled the exchange.
      throw interruption.signal == nil ? error : .cancelled
    }
  }

  package mutating func powerCycle() throws(ChannelError) -> Bool {
    guard !interruption.isOver else { throw .withheld }
    return try inner.powerCycle()
  }
}

/// The card of a run, before any command was sent to it.
package typealias SessionCard = IdentityCard<SessionChannel>

/// The random source of a run: the system's, or that of a recording.
package struct SessionRandom: RandomSource {
  var source: any RandomSource

  package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    try source.fill(buffer)
  }
}

extension CardError.Step {
  /// The step of CHANGE REFERENCE DATA and RESET RETRY COUNTER (ISO/IEC 7816-4 §11.5); `nil` for other commands.
  fileprivate init?(settingPIN command: [UInt8]) {
    switch command.dropFirst().first {
    case 0x24: self = .changePIN
    case 0x2C: self = .resetPIN
    default: return nil
    }
  }
}
