internal import Glibc
internal import System

/// A listening TCP socket on 127.0.0.1 at a port that the system picks, and a pipe that wakes whoever waits.
struct LoopbackSocket: ~Copyable, Sendable {
  private let listening: Descriptor
  private let wakeReader: Descriptor
  private let wakeWriter: Descriptor
  /// The port.
  let port: UInt16

  init() throws(ReturnListenerError) {
    let listening = Descriptor(
      try Self.checked("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))
    let port = try Self.listen(on: listening)
    let pipe: Pipe
    do throws(SystemError) { pipe = try Pipe() } catch {
      throw .system(call: "pipe", errno: error.code)
    }
    self.listening = listening
    self.port = port
    wakeReader = Descriptor(pipe.reading)
    wakeWriter = Descriptor(pipe.writing)
    self.listening.prepare()
    wakeReader.prepare()
    wakeWriter.prepare()
  }

  /// Binds to 127.0.0.1 and tells the port that the system picked.
  private static func listen(
    on descriptor: borrowing Descriptor
  ) throws(ReturnListenerError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = descriptor.number
    let (bound, named) = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        (bind(number, address, length), getsockname(number, address, &length))
      }
    }
    _ = try checked("bind", bound)
    _ = try checked("getsockname", named)
    _ = try checked("listen", Glibc.listen(number, 64))
    return UInt16(bigEndian: address.sin_port)
  }

  /// Wakes whoever waits, now and for ever.
  func wake() { _ = write(wakeWriter.number, [0 as UInt8], 1) }

  /// Takes no more connections, not even those that are in the queue.
  func end() { shutdown(listening.number, Int32(SHUT_RDWR)) }

  /// The next connection.
  func accept(until deadline: Deadline) throws(ReturnListenerError) -> Descriptor {
    while true {
      try wait(until: listening.number, deadline)
      let number = Glibc.accept(listening.number, nil, nil)
      if number >= 0 {
        let connection = Descriptor(number)
        connection.prepare()
        return connection
      }
      switch errno {
      case EAGAIN, EINTR, ECONNABORTED: continue
      case EINVAL: throw .ended
      default: throw .system(call: "accept", errno: errno)
      }
    }
  }

  /// Some more bytes of a connection; none when the other side has ended or broken it.
  func read(
    from connection: borrowing Descriptor, until deadline: Deadline
  ) throws(ReturnListenerError) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 4 << 10)
    while true {
      try wait(until: connection.number, deadline)
      let count = Glibc.read(connection.number, &block, block.count)
      if count >= 0 { return [UInt8](block.prefix(count)) }
      guard errno == EAGAIN || errno == EINTR else { return [] }
    }
  }

  /// Answers and hangs up. One call takes all of most answers; who does not read a longer one is not waited for.
  func answer(_ bytes: [UInt8], on connection: consuming Descriptor) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        var descriptor = pollfd(fd: connection.number, events: Int16(POLLOUT), revents: 0)
        guard count < 0, errno == EAGAIN || errno == EINTR, poll(&descriptor, 1, 1000) > 0
        else { break }
      }
    }
    shutdown(connection.number, Int32(SHUT_WR))
  }

  /// Waits for something to read, or its end.
  private func wait(until descriptor: Int32, _ deadline: Deadline) throws(ReturnListenerError) {
    while true {
      var descriptors = [
        pollfd(fd: wakeReader.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, nfds_t(descriptors.count), deadline.milliseconds)
      if count < 0, errno != EINTR { throw .system(call: "poll", errno: errno) }
      if count > 0, descriptors[0].revents != 0 { throw .cancelled }
      if count > 0 { return }
      if deadline.isOver { throw .timedOut }
    }
  }

  private static func checked(_ call: String, _ result: Int32) throws(ReturnListenerError) -> Int32
  {
    guard result >= 0 else { throw .system(call: call, errno: errno) }
    return result
  }
}

/// A file descriptor that is closed when its owner lets go of it.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Not for programs that this one starts, and never blocking: `poll` does the waiting.
  borrowing func prepare() {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(number) }
}

/// The time until which something may last.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(in time: Duration) { end = .now + time }

  private init(end: ContinuousClock.Instant) { self.end = end }

  /// The earlier of this one and one that begins now.
  func limited(to time: Duration) -> Deadline { Deadline(end: min(end, .now + time)) }

  var isOver: Bool { ContinuousClock.now >= end }

  /// What is left, for `poll`: rounded up, so that waiting it out is being over.
  var milliseconds: Int32 {
    let left = max(.zero, ContinuousClock.now.duration(to: end))
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
