internal import Primitives

/// Waits on this machine alone for the URL with which an app ends a hand-off, or for the answer of a provider.
///
/// The bearer of the URL, a scheme handler or a page's script, opens `http://127.0.0.1:<port>/<32 hexadecimal
/// digits>?url=<the returned URL, percent-encoded>`. Port and digits are random and new each time. An answer has
/// other parameters, in the query or as a form that a page of the provider's posts, to a path that is registered
/// there: the provider lets only the port vary (RFC 8252 §8.4), and a secret among the parameters identifies the login
/// that it answers.
///
/// Other requests are refused and the wait goes on, because any user of this machine can make them. The first right one
/// ends the listener.
package final class ReturnListener: Sendable {
  /// The time that one connection has to make its request. It delays no other connection, so it is long enough for a
  /// browser on a busy machine.
  static let connectionLimit = Duration.seconds(10)
  /// The number of connections that may be making their requests; one more replaces the oldest.
  static let visitLimit = 64

  /// The address for the returned URL, without its `url` parameter, or for the answer. A path that was made here is a
  /// secret of this login.
  package let address: RedirectURL
  /// The address of the page with which the login begins in the person's browser, if one is served. A secret of this
  /// login.
  package let startAddress: RedirectURL
  private let socket: LoopbackSocket
  private let page: ReturnWords
  private let shape: ReturnRequest.Shape

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - page: the page that the browser shows after bringing it.
  ///   - path: the path that the provider knows; a secret one where it is `nil`.
  ///   - port: the port that it knows; any that is free where it is `nil`.
  ///   - isRight: checks whether these are the parameters of the expected answer, to be taken by `answer`: by a secret
  ///     among them, such as OAuth's `state`. No name is there twice. Without it a URL is awaited.
  package init(
    _ page: ReturnWords = ReturnWords(), path: String? = nil, port: UInt16? = nil,
    answer isRight: (@Sendable ([QueryItem]) -> Bool)? = nil
  ) throws(HandOffError) {
    self.page = page
    shape = isRight.map { ReturnRequest.Shape(takesForms: true, isRight: $0) } ?? .url
    socket = try LoopbackSocket(port: port ?? 0)
    var random = SystemRandom()
    let bytes: [UInt8]
    // 128 bits.
    bytes = try mapError(try random.bytes(16)) { HandOffError.listener(.random($0)) }
    let secret = "/" + ASCII.lowercased(bytes.hexadecimal.utf8)
    let origin = RedirectURL.Origin(scheme: .http, host: "127.0.0.1", port: socket.port)
    address = RedirectURL(origin: origin, path: path ?? secret)
    startAddress = RedirectURL(origin: origin, path: secret + "/start")
  }

  /// Waits for the returned URL. It blocks the thread that calls it, and uses no other.
  ///
  /// - Parameter timeout: the limit; the listener ends with it.
  /// - Returns: the `url` parameter, decoded once, to be checked by `ReturnURL`.
  package func wait(timeout: Duration) throws(HandOffError) -> String {
    try answer(timeout: timeout).first?.value ?? ""
  }

  /// Waits for the parameters of the right request. It blocks the thread that calls it, and uses no other.
  ///
  /// - Parameters:
  ///   - timeout: the limit; the listener ends with it.
  ///   - start: the page served at `startAddress` before, once.
  package func answer(
    timeout: Duration, serving start: FormPage? = nil
  ) throws(HandOffError) -> [QueryItem] {
    defer { socket.end() }
    let deadline = ContinuousClock.now + timeout
    var start = start
    var visits: [LoopbackVisit] = []
    while true {
      let opened = try socket.next(of: visits, until: deadline)
      var unfinished: [LoopbackVisit] = []
      var items: [QueryItem]?
      for visit in visits {
        // A client that is silent for too long, or sends too much, is answered as it is.
        guard items != nil || visit.isWhole || visit.deadline.isOver else {
          unfinished.append(visit)
          continue
        }
        if let found = answer(visit, &start, isOver: items != nil) { items = found }
      }
      if let items {
        for visit in unfinished { _ = answer(visit, &start, isOver: true) }
        return items
      }
      if let opened {
        if unfinished.count == Self.visitLimit { unfinished.removeFirst() }
        unfinished.append(opened)
      }
      visits = unfinished
    }
  }

  /// - Parameter isOver: true if the right one has come before.
  /// - Returns: the parameters of the right one.
  private func answer(
    _ visit: LoopbackVisit, _ start: inout FormPage?, isOver: Bool
  ) -> [QueryItem]? {
    if let page = start, !isOver,
      (try? ReturnRequest(visit.bytes, for: startAddress, .nothing)) != nil
    {
      visit.answer(page.answer)
      start = nil
      return nil
    }
    do throws(ReturnRequest.Refusal) {
      let request = try ReturnRequest(visit.bytes, for: address, shape)
      guard !isOver else { throw .parameters }
      visit.answer(page.acceptance)
      return request.items
    } catch {
      visit.answer(page.refusal(of: error, shape))
      return nil
    }
  }

  /// Ends the current wait and every later one, from any thread.
  package func cancel() { socket.wake() }
}
