internal import CMicroHTTPD
internal import Glibc

/// An HTTP server at one socket, by libmicrohttpd, with a thread of its own.
package final class LocalServer: Sendable {
  /// What it lets clients do.
  package struct Limits: Sendable {
    /// Connections at once; more wait in the queue of the socket.
    package var connections: UInt32 = 256
    /// Bytes of the request line and the headers.
    package var head = 16 << 10
    /// Bytes of a body.
    package var body = 16 << 10
    /// Bytes of a body that are thrown away before the connection is cut.
    package var drained = 1 << 20
    /// Clients that hear events.
    package var listeners = 64
    /// How long a request may take to come.
    package var patience = Duration.seconds(10)

    package init() {}
  }

  private let rule: AccessRule
  private let limits: Limits
  private let isPublic: @Sendable (RequestHead) -> Bool
  private let receive: @Sendable (Exchange, LocalServer) -> Void
  private let table: ConnectionTable
  /// Whether another client may hear events.
  package var mayListen: Bool { table.listeners < limits.listeners }
  package var connections: Int { table.count }

  /// - Parameters:
  ///   - rule: who may ask.
  ///   - isPublic: whether a request needs no token.
  ///   - receive: gets each request that may be made, whole, and this server; it answers at once or later, and does not
  ///     wait.
  package init(
    rule: AccessRule, limits: Limits = Limits(),
    isPublic: @escaping @Sendable (RequestHead) -> Bool,
    receive: @escaping @Sendable (Exchange, LocalServer) -> Void
  ) {
    self.rule = rule
    self.limits = limits
    self.isPublic = isPublic
    self.receive = receive
    table = ConnectionTable(patience: limits.patience)
  }

  /// Serves a socket, to the end of the program.
  ///
  /// - Returns: false when the system does not give what is needed for that.
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
      // Nothing is unescaped: paths are compared as they are, and %00 ends no text.
      { _, _, text in text.map { strlen($0) } ?? 0 },
      Unmanaged.passRetained(self).toOpaque())
    return daemon != nil
  }

  /// Cuts the connections that take too long, and tells of the clients that have gone. To be called every second or so.
  package func sweep() { table.sweep() }

  /// What the library calls: with the head alone, with each piece of the body, at the end of it, and again when there is an
  /// answer.
  private func handle(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ bytes: UnsafeRawBufferPointer, _ count: UnsafeMutablePointer<Int>,
    _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let known = exchange.pointee else {
      let head = RequestHead(connection, path, method)
      if let status = rule.refusal(of: head, isPublic: isPublic(head)) ?? refusal(of: head) {
        var answer = Answer(status, type: "")
        if status == 401 { answer.headers = [("WWW-Authenticate", "Bearer")] }
        return answer.queue(on: connection, isLast: true)
      }
      exchange.pointee = Unmanaged.passRetained(Exchange(head, bodyLimit: limits.body)).toOpaque()
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
      if request.body.isTooLong {
        request.answer(Answer(413, type: ""))
      } else {
        receive(request, self)
      }
    }
    return request.proceed(on: connection)
  }

  /// A body that is known to be too long is not even read.
  private func refusal(of head: RequestHead) -> Int? {
    guard let length = head.contentLength else { return head["content-length"] == nil ? nil : 400 }
    return length > limits.body ? 413 : nil
  }
}

extension RequestHead {
  /// What the library has understood of a request.
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
