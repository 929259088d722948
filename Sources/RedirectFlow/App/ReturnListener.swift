package import CIECard
internal import System

/// Waits on this machine alone for the URL with which an app ends a hand-off, or for the answer of a provider.
///
/// Whoever brings the URL, a scheme handler or a page's script, opens
/// `http://127.0.0.1:<port>/<32 hexadecimal digits>?url=<the returned URL, percent-encoded>`. Port and digits are
/// random and new each time; other requests are refused, the first right one ends the listener. An answer comes to the
/// same address with parameters of its own, in the query or as a form that a page of the provider's posts.
package final class ReturnListener: Sendable {
  /// How long one connection may take to make its request.
  static let connectionLimit = Duration.seconds(1)
  /// How many wrong requests are answered before the listener gives up.
  static let refusalLimit = 32

  /// Where the returned URL is to be brought to, without its `url` parameter. A secret of this login.
  package let address: RedirectURL
  /// Where the person's browser gets the page with which the login begins, where one is served. A secret as well.
  package var startAddress: RedirectURL { address.appending("/start") }
  private let socket: LoopbackSocket
  private let page: ReturnPage
  private let shape: ReturnRequest.Shape

  /// Starts listening for a URL.
  ///
  /// - Parameter page: what the browser shows to whoever brings it.
  package convenience init(_ page: ReturnPage = ReturnPage()) throws(ReturnListenerError) {
    try self.init(page, .url)
  }

  /// Starts listening for an answer, to be taken by `answer`.
  ///
  /// - Parameters:
  ///   - page: what the browser shows to whoever brings it.
  ///   - isRight: whether these are the parameters of the answer that is waited for: by a secret among them, such as
  ///     OAuth's `state`. No name is there twice.
  package convenience init(
    _ page: ReturnPage = ReturnPage(), answer isRight: @escaping @Sendable ([QueryItem]) -> Bool
  ) throws(ReturnListenerError) {
    try self.init(page, ReturnRequest.Shape(takesForms: true, isRight: isRight))
  }

  private init(_ page: ReturnPage, _ shape: ReturnRequest.Shape) throws(ReturnListenerError) {
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
    try answer(timeout: timeout).first?.value ?? ""
  }

  /// Waits for the parameters of the right request. It blocks the thread that calls it, and uses no other.
  ///
  /// - Parameters:
  ///   - timeout: how long; the listener ends with it.
  ///   - start: what is served at `startAddress` before, once.
  /// - Throws: `ReturnListenerError`.
  package func answer(
    timeout: Duration, serving start: FormPage? = nil
  ) throws(ReturnListenerError) -> [QueryItem] {
    defer { socket.end() }
    let deadline = Deadline(in: timeout)
    var start = start
    for _ in 0..<Self.refusalLimit {
      let connection = try socket.accept(until: deadline)
      let bytes = try request(from: connection, until: deadline)
      if let page = start, (try? ReturnRequest(bytes, for: startAddress, .nothing)) != nil {
        socket.answer(page.answer, on: connection)
        start = nil
        continue
      }
      do throws(ReturnRequest.Refusal) {
        let request = try ReturnRequest(bytes, for: address, shape)
        socket.answer(page.accepted, on: connection)
        return request.items
      } catch {
        socket.answer(page.refused(error, shape), on: connection)
      }
    }
    throw .tooManyRequests
  }

  /// Ends a waiting call, and each that comes later, from any thread.
  package func cancel() { socket.wake() }

  /// What a connection sends, up to an empty line and with the form that its head announces; cut short when it ends,
  /// lasts or grows too long.
  private func request(
    from connection: borrowing Descriptor, until deadline: Deadline
  ) throws(ReturnListenerError) -> [UInt8] {
    let limit = deadline.limited(to: Self.connectionLimit)
    var bytes: [UInt8] = []
    while bytes.count <= 2 * ReturnRequest.limit {
      let more: [UInt8]
      do throws(ReturnListenerError) {
        more = try socket.read(from: connection, until: limit)
      } catch .timedOut where !deadline.isOver {
        return bytes
      }
      bytes += more
      if more.isEmpty || ReturnRequest.isWhole(bytes) { return bytes }
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
