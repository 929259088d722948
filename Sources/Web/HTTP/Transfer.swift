internal import CCurl
internal import Primitives

/// The data that libcurl hands over during one transfer, and the limits on it.
final class Transfer {
  /// libcurl limits each line; this limits them all.
  static let headerLimit = 256 << 10

  private(set) var headers: [HTTPResponse.Header] = []
  private(set) var body: [UInt8] = []
  /// True if all header fields of the answer are there, and within the limit.
  var hasAnswer: Bool { hasHeaders && headerBytes <= Self.headerLimit }
  private var hasHeaders = false
  /// The reason why this side ended the transfer.
  private(set) var refusal: HTTPError?
  private var headerBytes = 0
  private let bodyLimit: Int
  private let cancellation: CancellationToken

  init(bodyLimit: Int, cancellation: CancellationToken) {
    self.bodyLimit = bodyLimit
    self.cancellation = cancellation
  }

  /// Makes libcurl call this object. It must live until the transfer is over.
  func attach(to handle: borrowing CurlHandle) throws(HTTPError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    try handle.set(CURLOPT_WRITEDATA, context)
    try handle.check(
      curl_set_write(handle.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        Transfer.receive(bytes, size * count, context) { $0.take(body: $1) }
      })
    try handle.set(CURLOPT_HEADERDATA, context)
    try handle.check(
      curl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        Transfer.receive(bytes, size * count, context) { $0.take(header: $1) }
      })
    try handle.set(CURLOPT_NOPROGRESS, 0)
    try handle.set(CURLOPT_XFERINFODATA, context)
    try handle.check(
      curl_set_progress(handle.pointer) { context, _, _, _, _ in
        guard let context else { return 1 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.cancellation.isCancelled ? 1 : 0
      })
  }

  /// The number of bytes taken; any other than `length` breaks the transfer off.
  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ length: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return take(transfer, UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
  }

  private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= bodyLimit else {
      body += bytes.prefix(bodyLimit - body.count)
      refusal = .bodyTooLarge(limit: bodyLimit)
      return false
    }
    body += bytes
    return true
  }

  private func take(header bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= Self.headerLimit else {
      refusal = .headersTooLong(limit: Self.headerLimit)
      return false
    }
    // A status line restarts the answer, after an interim one (RFC 9110 §15.2).
    if bytes.starts(with: "HTTP/".utf8) {
      headers = []
      hasHeaders = false
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
      headers.append(
        HTTPResponse.Header(name: name, value: Self.value(of: name, bytes[(colon + 1)...])))
    } else if bytes.elementsEqual("\r\n".utf8) || bytes.elementsEqual("\n".utf8) {
      hasHeaders = true
    }
    return true
  }

  /// The bytes of a redirect's target are kept, escaped, in any encoding: as in browsers.
  private static func value(of name: String, _ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    guard name == "location", bytes.contains(where: { $0 >= 0x80 }) else { return trim(bytes) }
    let escaped = bytes.flatMap { $0 < 0x80 ? [$0] : PercentEncoding.escape($0) }
    return escaped.withUnsafeBytes { trim($0[...]) }
  }

  /// Optional white space around a value and the end of the line (RFC 9112 §5).
  private static func trim(_ value: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: value.trimmed(ASCII.isSpace), as: UTF8.self)
  }
}
