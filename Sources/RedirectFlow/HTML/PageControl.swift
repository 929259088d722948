/// An element of a page that a person can press.
struct PageControl: Sendable {
  enum Action: Sendable, Equatable {
    /// Follows a link, whose target is absolute or has another scheme.
    case follow(String)
    /// Sends a form; with this button's name and value, if it has them.
    case submit(PageForm, pressing: PageForm.Control?)
  }

  /// Its names: by its words, its pictures, or for assistive technology.
  let names: [String]
  let action: Action
}

extension PageControl: Redacted {
  var description: String {
    switch action {
    case .follow: "link"
    case .submit(let form, _): "button of \(form)"
    }
  }
}

/// A page's request to go elsewhere by itself.
struct PageRefresh: Sendable, Equatable {
  var delay: Int
  /// The target as written; empty for the page itself.
  var target: String

  init(delay: Int, target: String) {
    self.delay = delay
    self.target = target
  }

  /// Reads the `content` of a `meta` element with `http-equiv="refresh"`, or a header field of that name (HTML Living
  /// Standard §4.2.5.3).
  init?(_ content: String) {
    let isSpace: (UInt8) -> Bool = { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    let isSeparator: (UInt8) -> Bool = { [UInt8](";,".utf8).contains($0) }
    var rest = [UInt8](content.utf8)[...].drop(while: isSpace)
    let digits = rest.prefix(while: ASCII.isDigit)
    rest = rest.dropFirst(digits.count)
    guard !digits.isEmpty || rest.first == UInt8(ascii: ".") else { return nil }
    rest = rest.drop { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    delay = digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self)) ?? .max
    guard let next = rest.first else {
      target = ""
      return
    }
    guard isSpace(next) || isSeparator(next) else { return nil }
    rest = rest.drop(while: isSpace)
    if let byte = rest.first, isSeparator(byte) { rest = rest.dropFirst() }
    rest = rest.drop(while: isSpace)
    if ASCII.lowercased(rest.prefix(3)) == "url" {
      let value = rest.dropFirst(3).drop(while: isSpace)
      if value.first == UInt8(ascii: "=") { rest = value.dropFirst().drop(while: isSpace) }
    }
    if let quote = rest.first, [UInt8]("\"'".utf8).contains(quote) {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    target = String(decoding: rest, as: UTF8.self)
  }
}
