internal import Glibc
internal import System

/// A file with the moments of a card, for measurements: when it was laid down, when the reader had powered it on, and from
/// when to when it dealt with each command. In nanoseconds of CLOCK_MONOTONIC, which other programs of the machine read too.
///
/// `command 81273645123 81273649456`
struct CardTimes: Sendable {
  private let file: FileDescriptor

  /// Opens the file, and adds to what is in it.
  init(path: String) throws(SystemError) {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError(errno) }
    file = FileDescriptor(number)
  }

  /// Now.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Writes down what happened now, or since then. Times that cannot be written do not stop the card.
  func note(_ event: String, since begin: Int64? = nil) {
    let moments = [begin, Self.now].compactMap { $0 }.map(String.init)
    try? file.writeAll([UInt8](([event] + moments).joined(separator: " ").utf8) + [0x0A])
  }
}

extension CardInReader {
  /// The same card, which writes its times down.
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
