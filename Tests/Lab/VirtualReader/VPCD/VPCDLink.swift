internal import Glibc
internal import Primitives

/// The card's end of the wire to vpcd, the virtual reader of vsmartcard.
///
/// vpcd is a driver inside pcscd that listens on TCP; the card connects to be inserted, and hangs up to be removed. In
/// both directions a frame is its length in two bytes, big-endian, and as many bytes.
final class VPCDLink: Sendable {
  enum Request: Equatable {
    case powerOff
    case powerOn
    case reset
    /// Sent several times a second, to check that the card is there: to be answered at once.
    case answerToReset
    /// A C-APDU, to be answered with an R-APDU.
    case command([UInt8])
  }

  private let socket: Int32

  /// Inserts a card into the reader that listens on a port of this machine.
  init(port: UInt16) throws(ReaderError) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw ReaderError(doing: "socket", errno: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafeBytes(of: &address) { bytes in
      Glibc.connect(
        socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard result == 0 else { throw ReaderError(doing: "connect to port \(port)", errno: errno) }
    set(TCP_NODELAY)
  }

  /// The next request; nil when the reader has gone, or the card has been removed.
  func receive() -> Request? {
    guard let header = receive(count: 2) else { return nil }
    guard let frame = receive(count: Int(header[0]) << 8 | Int(header[1])) else { return nil }
    guard frame.count == 1 else { return .command(frame) }
    switch frame[0] {
    case 0: return .powerOff
    case 1: return .powerOn
    case 2: return .reset
    case 4: return .answerToReset
    default: return .command(frame)
    }
  }

  /// Sends an answer to reset or an R-APDU.
  ///
  /// - Parameter frame: 1 to 65 535 bytes. An empty frame would block the driver for ever, and with it every program
  ///   that uses the reader; like one too long for its length field, it removes the card instead.
  func send(_ frame: [UInt8]) {
    guard let length = UInt16(exactly: frame.count), length > 0 else { return remove() }
    let bytes = [UInt8(length >> 8), UInt8(length & 0xFF)] + frame
    do throws(SystemError) {
      try FileDescriptor(socket).writeAll(bytes) { Glibc.send($0, $1, $2, Int32(MSG_NOSIGNAL)) }
    } catch {
      remove()
    }
  }

  /// Takes the card out of the reader; may be called from another thread.
  func remove() {
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func receive(count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      // vpcd sends length and content apart. Unless each is acknowledged at once, the second waits for 40 ms;
      // the kernel forgets the setting, so it is made again every time.
      set(TCP_QUICKACK)
      let missing = count - bytes.count
      let part = [UInt8](unsafeUninitializedCapacity: missing) { buffer, received in
        received = max(0, recv(socket, buffer.baseAddress, missing, 0))
      }
      guard !part.isEmpty else { return nil }
      bytes += part
    }
    return bytes
  }

  private func set(_ option: Int32) {
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit {
    close(socket)
  }
}
