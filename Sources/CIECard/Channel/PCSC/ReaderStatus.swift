internal import CPCSCLite

/// One reader as SCardGetStatusChange tells it.
struct ReaderStatus: Sendable, Equatable {
  /// The reader's name, or `ReaderStatus.plugAndPlay`.
  let name: String
  /// SCARD_STATE_ bits, and in the upper half a count of the events so far (libpcsclite). 0: not known yet.
  var state: UInt32 = 0
  /// The answer to reset of the card in it; empty without one.
  var answerToReset: [UInt8] = []

  /// The name under which SCardGetStatusChange tells that a reader came or went.
  static let plugAndPlay = #"\\?PnP?\Notification"#

  /// A card lies in it, mute or not.
  var hasCard: Bool { has(SCARD_STATE_PRESENT) }
  /// Some program is connected to the card in it.
  var isInUse: Bool { has(SCARD_STATE_INUSE) || has(SCARD_STATE_EXCLUSIVE) }
  /// The service knows no such reader, or not any more.
  var isGone: Bool { has(SCARD_STATE_UNKNOWN) }
  /// The reader is listed, and the service cannot speak to it.
  var isUnavailable: Bool { has(SCARD_STATE_UNAVAILABLE) && !isGone }

  /// The same reader, its state as one that is known: what to wait for a change of.
  var seen: ReaderStatus {
    ReaderStatus(
      name: name, state: state & ~UInt32(SCARD_STATE_CHANGED), answerToReset: answerToReset)
  }

  private func has(_ bit: Int32) -> Bool { state & UInt32(bitPattern: bit) != 0 }
}
