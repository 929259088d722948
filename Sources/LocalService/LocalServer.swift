internal import CMicroHTTPD
internal import CWipingHeap
internal import Glibc

/// An HTTP server for one socket, by libmicrohttpd, with its own thread.
package final class LocalServer: Sendable {
  /// Limits for clients.
  package struct Limits: Sendable {
    /// Simultaneous connections; further ones wait in the accept queue.
    var connections: UInt32 = 256
    /// Bytes of the request line and headers.
    var head = 16 << 10
    /// Bytes of a body.
    var body = 16 << 10
    /// Bytes of a piece of a file.
    var piece = 1 << 20
    /// Bytes of an excessive body that are discarded before the connection is cut.
    var drained = 1 << 20
    /// Clients listening to events.
    var listeners = 64
    /// Time limit for receiving a request.
    var patience = Duration.seconds(10)

    init() {}
  }

  private let rule: AccessRule
  private let limits: Limits
  private let isPiece: @Sendable (RequestHead) -> Bool
  private let isPublic: @Sendable (RequestHead) -> Bool
  private let receive: @Sendable (Exchange, LocalServer) -> Void
  private let table: ConnectionTable
  /// Number of clients listening to events.
  package var listeners: Int { table.listeners }
  /// True while another client may listen to events.
  package var mayListen: Bool { listeners < limits.listeners }
  package var connections: Int { table.count }

  /// - Parameters:
  ///   - rule: the access control.
  ///   - isPublic: returns true if a request needs no token.
  ///   - isPiece: returns true if the body is a piece of a file, which may be longer than others.
  ///   - receive: called with each complete, allowed request and this server; responds at once or
  ///     later, and must not block.
  package init(
    rule: AccessRule, limits: Limits = Limits(),
    isPublic: @escaping @Sendable (RequestHead) -> Bool,
    isPiece: @escaping @Sendable (RequestHead) -> Bool = { _ in false },
    receive: @escaping @Sendable (Exchange, LocalServer) -> Void
  ) {
    self.rule = rule
    self.limits = limits
    self.isPublic = isPublic
    self.isPiece = isPiece
    self.receive = receive
    table = ConnectionTable(patience: limits.patience)
  }

  /// Serves the socket until the program ends.
  ///
  /// - Returns: false if the system lacks the resources.
  package func start(on socket: ListeningSocket) -> Bool {
    let daemon = http_start(
      socket.descriptor, limits.connections, UInt32(limits.patience.components.seconds),
      limits.head,
      { context, connection, path, method, _, bytes, count, exchange in
        guard let context, let connection, let count, let exchange else { return .NO }
        let server = Unmanaged<LocalServer>.fromOpaque(context).takeUnretainedValue()
        return server.handle(
          connection, path, method, UnsafeRawBufferPointer(start: bytes, count: count.pointee),
          count, exchange)
      },
      { context, connection, exchange, _ in
        guard let context, let connection else { return }
        let server = Unmanaged<LocalServer>.fromOpaque(context).takeUnretainedValue()
        if let pointer = exchange?.pointee {
          exchange?.pointee = nil
          Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().leave()
        }
        server.table.receive(connection)
      },
      { context, connection, _, end in
        guard let context, let connection else { return }
        let table = Unmanaged<LocalServer>.fromOpaque(context).takeUnretainedValue().table
        if http_is_beginning(end) != 0 {
          table.begin(connection, socket: http_socket(connection))
        } else {
          table.end(connection)
        }
      },
      // No unescaping: paths are compared as sent, and %00 cannot truncate a string.
      { _, _, text in text.map { strlen($0) } ?? 0 },
      Unmanaged.passRetained(self).toOpaque())
    return daemon != nil
  }

  /// Cuts connections that take too long and notifies exchanges whose client has gone. Must be
  /// called about once a second.
  package func sweep() { table.sweep() }

  /// Callback of the library: with the head alone, with each piece of the body, at the end of the
  /// body, and again once there is a response.
  private func handle(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ bytes: UnsafeRawBufferPointer, _ count: UnsafeMutablePointer<Int>,
    _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let known = exchange.pointee else {
      let head = RequestHead(connection, path, method)
      let status = rule.refusal(of: head, isPublic: isPublic(head))
      // A client that waits for a go-ahead has the answer in its place, and an endless body is not read.
      let isEarly = head["expect"] != nil || head.contentLength ?? 0 > limits.drained
      let early = isEarly ? status ?? refusal(of: head) : status == nil ? refusal(of: head) : nil
      if let early { return Answer(refusing: early).queue(on: connection, isLast: true) }
      exchange.pointee = Unmanaged.passRetained(
        Exchange(head, bodyLimit: status == nil ? bodyLimit(of: head) : 0, refusedWith: status)
      ).toOpaque()
      return .YES
    }
    let request = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if !bytes.isEmpty {
      request.body.append(bytes)
      http_wipe(bytes.baseAddress, bytes.count)
      count.pointee = 0
      return request.body.received <= limits.drained ? .YES : .NO
    }
    if request.isFirstEnd {
      table.work(connection, on: request)
      if let status = request.refusal {
        return Answer(refusing: status).queue(on: connection, isLast: true)
      }
      if request.body.isTooLong {
        request.answer(Answer(413, type: ""))
      } else {
        receive(request, self)
      }
      cie_wipe_stack()
    }
    return request.proceed(on: connection)
  }

  /// Refuses a body that is announced as too long before reading it.
  private func refusal(of head: RequestHead) -> Int? {
    guard let length = head.contentLength else { return head["content-length"] == nil ? nil : 400 }
    return length > bodyLimit(of: head) ? 413 : nil
  }

  private func bodyLimit(of head: RequestHead) -> Int {
    isPiece(head) ? limits.piece : limits.body
  }
}

extension Answer {
  /// An answer without a body to a request that is refused for its headers.
  fileprivate init(refusing status: Int) {
    self.init(status, type: "")
    if status == 401 { headers = [("WWW-Authenticate", "Bearer")] }
  }
}

extension RequestHead {
  /// Converts the library's view of a request.
  fileprivate init(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?
  ) {
    let headers = HeaderList()
    http_each_header(
      connection,
      { list, _, name, value in
        guard let list, let name else { return .NO }
        let headers = Unmanaged<HeaderList>.fromOpaque(list).takeUnretainedValue()
        headers.list.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
        return .YES
      }, Unmanaged.passUnretained(headers).toOpaque())
    self.init(
      method: method.map { String(cString: $0) } ?? "",
      path: path.map { String(cString: $0) } ?? "",
      queryLanguage: http_query(connection, "lang").map { String(cString: $0) },
      headers: headers.list)
  }

  private final class HeaderList {
    var list: [(name: String, value: String)] = []
  }
}
