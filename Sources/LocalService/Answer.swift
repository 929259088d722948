internal import CMicroHTTPD
internal import Glibc
internal import Primitives

package struct Answer: Sendable {
  var status: Int
  var type: String
  var bytes: [UInt8]
  /// The file that is sent instead of bytes.
  package var file: SentFile?
  /// In addition to those of every response.
  package var headers: [(name: String, value: String)] = []

  package init(_ status: Int, type: String = "application/json", _ bytes: [UInt8] = []) {
    self.status = status
    self.type = type
    self.bytes = bytes
  }

  /// Queues the response; an error from the library ends the connection.
  func queue(on connection: OpaquePointer, isLast: Bool) -> MHD_Result {
    let response =
      if let file {
        http_file(file.descriptor)
      } else {
        bytes.withUnsafeBytes { http_response($0.baseAddress, $0.count) }
      }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    add(to: response)
    if isLast { MHD_add_response_header(response, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(status), response)
  }

  /// Adds the headers: no caching, no guessing of the type, no referrer, no use by other origins.
  func add(to response: OpaquePointer) {
    if !type.isEmpty { MHD_add_response_header(response, "Content-Type", type) }
    let always = [
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    for (name, value) in always + headers { MHD_add_response_header(response, name, value) }
  }
}

/// An open file that is a response; it is closed with the last response of it.
package final class SentFile: Sendable {
  let descriptor: CInt

  /// - Returns: nil if it cannot be opened.
  package init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }
}
