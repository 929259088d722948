internal import Primitives

/// One HTTP/1.1 request to the loopback listener (RFC 9112), of which only one shape is accepted.
struct ReturnRequest {
  struct Shape: Sendable {
    /// True if a form that a page posts is accepted, too.
    let takesForms: Bool
    let isRight: @Sendable ([QueryItem]) -> Bool

    static let url = Shape(takesForms: false) { $0.map(\.name) == ["url"] }

    static let nothing = Shape(takesForms: false) { $0.isEmpty }
  }

  enum Refusal: Error, CaseIterable {
    /// No HTTP/1.1 request at all, or one with a body.
    case malformed
    /// Another method than GET, or POST where a form may come.
    case method
    /// A `Host` other than 127.0.0.1 and our port: a host name that resolves to this machine (DNS rebinding).
    case host
    case path
    /// The secret path with other parameters than the right ones.
    case parameters
  }

  /// The longest head, and the longest form, that is read, in bytes.
  static let limit = 16 << 10
  static let itemLimit = 32
  static let end = [UInt8]("\r\n\r\n".utf8)

  /// The parameters, decoded once, not yet checked.
  let items: [QueryItem]

  /// - Parameter bytes: up to and with the empty line, and the form if one was posted.
  init(
    _ bytes: [UInt8], for address: RedirectURL, _ shape: Shape = .url
  ) throws(Refusal) {
    let blank = UInt8(ascii: " ")
    guard let end = Self.endOfHead(bytes) else { throw .malformed }
    var lines = Self.lines(bytes[..<(end - Self.end.count)])
    let words = lines.removeFirst().utf8.split(separator: blank, omittingEmptySubsequences: false)
    guard words.count == 3, words[2].elementsEqual("HTTP/1.1".utf8) else { throw .malformed }
    let isForm = shape.takesForms && words[0].elementsEqual("POST".utf8)
    guard isForm || words[0].elementsEqual("GET".utf8) else { throw .method }
    guard words[1].first == UInt8(ascii: "/") else { throw .malformed }
    let fields = try Self.fields(lines[...])
    guard fields.hosts == ["\(address.host):\(address.port)"] else { throw .host }
    let isFormType = fields.type == "application/x-www-form-urlencoded"
    guard fields.formLength == nil || isFormType else { throw .malformed }
    let body = bytes[end...]
    guard fields.formLength == (isForm ? body.count : nil), isForm || body.isEmpty else {
      throw .malformed
    }
    let target = "\(address.origin)" + Substring(words[1])
    guard let url = try? RedirectURL(target) else { throw .malformed }
    guard url.path == address.path else { throw .path }
    if isForm {
      guard url.query == nil else { throw .parameters }
      items = try Self.formItems(body)
    } else {
      items =
        shape.takesForms ? try Self.formItems(Array((url.query ?? "").utf8)[...]) : url.queryItems
    }
    guard shape.isRight(items) else { throw .parameters }
  }

  /// The end of the head, behind its empty line; `nil` until that has come.
  static func endOfHead(_ bytes: [UInt8]) -> Int? {
    bytes.place(of: Self.end).map { $0 + Self.end.count }
  }

  /// Returns true if the request is whole: a head without a form, or as much of a form as its head announces.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let end = endOfHead(bytes) else { return false }
    let fields = try? fields(lines(bytes[..<(end - Self.end.count)]).dropFirst())
    return bytes.count - end >= fields?.formLength ?? 0
  }

  /// The fields of a form (URL Living Standard §5.1), no name twice.
  private static func formItems(_ text: ArraySlice<UInt8>) throws(Refusal) -> [QueryItem] {
    let blank = UInt8(ascii: "+")
    guard let items = try? QueryItem.parse(text.map { $0 == blank ? UInt8(ascii: " ") : $0 }),
      items.count <= itemLimit, Set(items.map(\.name)).count == items.count
    else { throw .parameters }
    return items
  }

  private struct Fields {
    var hosts: [String] = []
    /// The length of a form; `nil` when no form is announced.
    var formLength: Int?
    var type: String?
  }

  private static func fields(_ lines: ArraySlice<Substring>) throws(Refusal) -> Fields {
    var fields = Fields()
    for line in lines {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
      let value = String(
        Substring(line.utf8[colon...].dropFirst().trimmed { $0 == 0x20 || $0 == 0x09 }))
      switch ASCII.lowercased(line.utf8[..<colon]) {
      case "host": fields.hosts.append(value)
      case "content-length":
        let isNumber = value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let length = Int(value), length <= limit, fields.formLength == nil
        else { throw .malformed }
        fields.formLength = length
      case "content-type":
        fields.type = ASCII.lowercased(value.utf8.prefix { $0 != UInt8(ascii: ";") })
      case "transfer-encoding": throw .malformed
      default: continue
      }
    }
    return fields
  }

  /// The lines between CR LF; a line feed or carriage return alone stays in its line. At least one.
  private static func lines(_ head: ArraySlice<UInt8>) -> [Substring] {
    String(decoding: head, as: UTF8.self).parts(between: "\r\n")
  }
}
