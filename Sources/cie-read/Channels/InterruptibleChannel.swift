import CIECard

/// A channel that sends no further command once a signal has come, or the time is up. The command that is running comes
/// to its end, if that comes soon.
struct InterruptibleChannel<Inner: CardChannel & ~Copyable>: CardChannel, ~Copyable {
  private var inner: Inner
  private let interruption: Interruption
  private let watch: CodeWatch

  var traits: ChannelTraits { inner.traits }

  init(_ inner: consuming Inner, _ interruption: Interruption, _ watch: CodeWatch) {
    self.inner = inner
    self.interruption = interruption
    self.watch = watch
  }

  mutating func transmit(_ command: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard !interruption.isOver else { throw .withheld }
    watch.note(command)
    interruption.note(settingPIN: Step(settingPIN: command))
    do throws(ChannelError) {
      let answer = try interruption.exchanging { () throws(ChannelError) in
        try inner.transmit(command)
      }
      interruption.note(settingPIN: nil)
      return answer
    } catch {
      // The note stays: whoever ends the program before this error is told finds it.
      watch.note(error, on: traits)
      // What a driver says of an exchange that we ended is no news.
      throw interruption.signal == nil ? error : .cancelled
    }
  }

  mutating func powerCycle() throws(ChannelError) -> Bool {
    guard !interruption.isOver else { throw .withheld }
    return try inner.powerCycle()
  }
}

extension Step {
  /// The step of CHANGE REFERENCE DATA and RESET RETRY COUNTER (ISO/IEC 7816-4 §11.5); `nil` for other commands.
  fileprivate init?(settingPIN command: [UInt8]) {
    switch command.dropFirst().first {
    case 0x24: self = .changePIN
    case 0x2C: self = .resetPIN
    default: return nil
    }
  }
}
