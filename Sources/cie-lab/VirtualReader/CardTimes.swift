internal import Glibc
internal import Primitives

/// A file with the times of a card, for measurements: of its placement, of the end of power-on, and of the beginning
/// and end of each command. In nanoseconds of CLOCK_MONOTONIC, which other programs of the machine read too.
///
/// `command 81273645123 81273649456`
struct CardTimes: Sendable {
  private let file: FileDescriptor

  init(path: String) throws(SystemError) {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError(errno) }
    file = FileDescriptor(number)
  }

  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Records an event at present, or since a beginning. Write errors do not stop the card.
  func note(_ event: String, since begin: Int64? = nil) {
    let moments = [begin, Self.now].compactMap { $0 }.map(String.init)
    try? file.writeAll([UInt8](([event] + moments).joined(separator: " ").utf8) + [0x0A])
  }
}

extension CardInReader {
  /// The same card, with its times recorded.
  func noting(_ times: CardTimes) -> CardInReader {
    CardInReader(
      answerToReset: answerToReset, reset: reset,
      respond: { command in
        let begin = CardTimes.now
        defer { times.note("command", since: begin) }
        return respond(command)
      }, powerOn: powerOn)
  }
}
