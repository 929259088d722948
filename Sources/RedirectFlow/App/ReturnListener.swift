package import CIECard
internal import System

/// Waits on this machine alone for the URL with which an app ends a hand-off, or for what a provider gives back through
/// the person's browser.
///
/// Whoever brings the URL, a scheme handler or a page's script, opens
/// `http://127.0.0.1:<port>/<32 hexadecimal digits>?url=<the returned URL, percent-encoded>`; a provider redirects to the
/// address with parameters of its own. Port and digits are random and new each time; other requests are refused, the
/// first right one ends the listener.
package final class ReturnListener: Sendable {
  /// How long one connection may take to make its request.
  static let connectionLimit = Duration.seconds(1)
  /// How many wrong requests are answered before the listener gives up.
  static let refusalLimit = 32

  /// Where the returned URL is to be brought to, without its `url` parameter. A secret of this login.
  package let address: RedirectURL
  private let socket: LoopbackSocket
  private let page: ReturnPage
  private let shape: ReturnRequest.Shape

  /// Starts listening for a URL.
  ///
  /// - Parameter page: what the browser shows to whoever brings it.
  package convenience init(_ page: ReturnPage = ReturnPage()) throws(ReturnListenerError) {
    try self.init(page, taking: .url)
  }

  /// Starts listening for a provider's parameters, to be taken by `waitForParameters`.
  package convenience init(
    forParameters page: ReturnPage
  ) throws(ReturnListenerError) {
    try self.init(page, taking: .parameters)
  }

  private init(_ page: ReturnPage, taking shape: ReturnRequest.Shape) throws(ReturnListenerError) {
    self.page = page
    self.shape = shape
    socket = try LoopbackSocket()
    var random = SystemRandom()
    let secret: [UInt8]
    // 128 bits.
    do throws(CryptoError) { secret = try random.bytes(16) } catch { throw .random(error) }
    address = RedirectURL(
      origin: RedirectURL.Origin(scheme: .http, host: "127.0.0.1", port: socket.port),
      path: "/" + ASCII.lowercased(secret.hexadecimal.utf8), query: nil, fragment: nil,
      queryItems: [])
  }

  /// Waits for the returned URL. It blocks the thread that calls it, and uses no other.
  ///
  /// - Parameter timeout: how long; the listener ends with it.
  /// - Returns: the `url` parameter, decoded once, to be checked by `ReturnURL`.
  /// - Throws: `ReturnListenerError`.
  package func wait(timeout: Duration) throws(ReturnListenerError) -> String {
    try request(timeout).items.first?.value ?? ""
  }

  /// Waits for a provider's parameters, as `wait` does for a URL.
  ///
  /// - Returns: at least one, no name twice; what they say is not checked.
  package func waitForParameters(
    timeout: Duration
  ) throws(ReturnListenerError) -> [String: String] {
    Dictionary(try request(timeout).items.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private func request(_ timeout: Duration) throws(ReturnListenerError) -> ReturnRequest {
    defer { socket.end() }
    let deadline = Deadline(in: timeout)
    for _ in 0..<Self.refusalLimit {
      let connection = try socket.accept(until: deadline)
      let head = try head(from: connection, until: deadline)
      do throws(ReturnRequest.Refusal) {
        let request = try ReturnRequest(head, for: address, taking: shape)
        socket.answer(page.accepted, on: connection)
        return request
      } catch {
        socket.answer(page.refused(error), on: connection)
      }
    }
    throw .tooManyRequests
  }

  /// Ends a waiting call, and each that comes later, from any thread.
  package func cancel() { socket.wake() }

  /// What a connection sends up to an empty line; cut short when it ends, lasts or grows too long.
  private func head(
    from connection: borrowing Descriptor, until deadline: Deadline
  ) throws(ReturnListenerError) -> [UInt8] {
    let limit = deadline.limited(to: Self.connectionLimit)
    var head: [UInt8] = []
    while head.count <= ReturnRequest.limit {
      let more: [UInt8]
      do throws(ReturnListenerError) {
        more = try socket.read(from: connection, until: limit)
      } catch .timedOut where !deadline.isOver {
        return head
      }
      head += more
      if more.isEmpty || head.suffix(ReturnRequest.end.count).elementsEqual(ReturnRequest.end) {
        return head
      }
    }
    return []
  }
}

/// Why no URL came back to the loopback listener.
package enum ReturnListenerError: Error, Sendable, Equatable {
  /// A call of the system failed; its name and the error number.
  case system(call: String, errno: Int32)
  /// No random bytes for the secret path.
  case random(CryptoError)
  /// The time is over.
  case timedOut
  /// Somebody called `cancel`.
  case cancelled
  /// The listener has ended already: it takes one URL in its life.
  case ended
  /// Too many requests without the secret path: something on this machine is guessing.
  case tooManyRequests
}
