internal import Glibc
internal import Primitives

/// A listening TCP socket on 127.0.0.1, and a pipe that wakes the waiting thread.
struct LoopbackSocket: ~Copyable, Sendable {
  private let listening: Descriptor
  private let wakeReader: Descriptor
  private let wakeWriter: Descriptor
  let port: UInt16

  /// - Parameter port: the port; one that the system picks where it is 0.
  init(port: UInt16 = 0) throws(HandOffError) {
    let listening = Descriptor(
      try Self.checked("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))
    let port = try Self.listen(on: listening, port)
    let pipe = try mapError(try Pipe()) { (error: SystemError) in
      HandOffError.listener(.system(call: "pipe", errno: error.code))
    }
    self.listening = listening
    self.port = port
    wakeReader = Descriptor(pipe.reading)
    wakeWriter = Descriptor(pipe.writing)
    self.listening.prepare()
    wakeReader.prepare()
    wakeWriter.prepare()
  }

  /// Binds to 127.0.0.1 and returns the port.
  private static func listen(
    on descriptor: borrowing Descriptor, _ port: UInt16
  ) throws(HandOffError) -> UInt16 {
    // Connections of an earlier sign-in may linger at a fixed port (tcp(7), TIME_WAIT).
    var isReused: CInt = 1
    setsockopt(
      descriptor.number, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_port = port.bigEndian
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

  /// Wakes the waiting thread, now and at each later wait.
  func wake() { _ = write(wakeWriter.number, [0 as UInt8], 1) }

  /// Takes no more connections, queued ones included.
  func end() { shutdown(listening.number, Int32(SHUT_RDWR)) }

  /// Waits for one more connection, and meanwhile reads from the open ones.
  ///
  /// - Returns: the connection; `nil` if open ones have sent something, or the time of one is over.
  /// - Throws: `.timedOut`, `.cancelled`, `.ended`.
  func next(
    of visits: [LoopbackVisit], until deadline: ContinuousClock.Instant
  ) throws(HandOffError) -> LoopbackVisit? {
    while true {
      let soonest = visits.map(\.deadline).reduce(deadline, min)
      var descriptors = ([wakeReader.number, listening.number] + visits.map(\.number)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&descriptors, nfds_t(descriptors.count), soonest.milliseconds)
      if count < 0, errno != EINTR { throw .listener(.system(call: "poll", errno: errno)) }
      if count > 0, descriptors[0].revents != 0 { throw .listener(.cancelled) }
      if deadline.isOver { throw .listener(.timedOut) }
      if count == 0 { return nil }
      guard count > 0 else { continue }
      for (visit, descriptor) in zip(visits, descriptors.dropFirst(2)) where descriptor.revents != 0
      {
        visit.read()
      }
      return descriptors[1].revents == 0 ? nil : try accept(until: deadline)
    }
  }

  private func accept(
    until deadline: ContinuousClock.Instant
  ) throws(HandOffError) -> LoopbackVisit? {
    let number = Glibc.accept(listening.number, nil, nil)
    guard number < 0 else {
      return LoopbackVisit(
        Descriptor(number), until: min(deadline, .now + ReturnListener.connectionLimit))
    }
    switch errno {
    case EAGAIN, EINTR, ECONNABORTED: return nil
    case EINVAL: throw .listener(.ended)
    default: throw .listener(.system(call: "accept", errno: errno))
    }
  }

  private static func checked(_ call: String, _ result: Int32) throws(HandOffError) -> Int32 {
    guard result >= 0 else { throw .listener(.system(call: call, errno: errno)) }
    return result
  }
}

/// A connection to the socket, and the bytes received so far.
final class LoopbackVisit {
  let deadline: ContinuousClock.Instant
  private(set) var bytes: [UInt8] = []
  private let connection: Descriptor
  private var hasEnded = false

  init(_ connection: consuming Descriptor, until deadline: ContinuousClock.Instant) {
    connection.prepare()
    self.connection = connection
    self.deadline = deadline
  }

  var number: Int32 { connection.number }

  /// True if no more input is expected: the whole request has come, with the form that its head announces, or the end.
  var isWhole: Bool { hasEnded || ReturnRequest.isWhole(bytes) }

  /// Reads the available bytes. A request that grows too long is discarded.
  func read() {
    var block = [UInt8](repeating: 0, count: 4 << 10)
    let count = Glibc.read(number, &block, block.count)
    guard count > 0 else {
      hasEnded = count == 0 || errno != EAGAIN && errno != EINTR
      return
    }
    bytes += block.prefix(count)
    guard bytes.count > 2 * ReturnRequest.limit else { return }
    bytes = []
    hasEnded = true
  }

  /// Answers and hangs up. One call sends all of most answers; a client that does not read a longer one is not waited
  /// for.
  func answer(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        var descriptor = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        guard count < 0, errno == EAGAIN || errno == EINTR, poll(&descriptor, 1, 1000) > 0
        else { break }
      }
    }
    shutdown(number, Int32(SHUT_WR))
  }
}

/// A file descriptor that is closed when its owner releases it.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Sets close-on-exec, and non-blocking mode because `poll` does the waiting.
  borrowing func prepare() {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(number) }
}

extension ContinuousClock.Instant {
  var isOver: Bool { .now >= self }

  /// The remaining time for `poll`, rounded up so that it is over when the wait is.
  fileprivate var milliseconds: Int32 {
    let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: self)).components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
