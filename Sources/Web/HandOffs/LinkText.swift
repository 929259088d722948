/// The URL inside the forms in which apps pass links to each other.
///
/// Known forms: the bare URL; `CIEID://https://…` (cieid-ios-sdk, outbound); `<scheme>://https://…` and
/// `<scheme>:https://…` (inbound); each also with the colon behind `https` lost, which that SDK repairs too.
struct LinkText {
  private(set) var url: String
  /// The URL scheme for the sender's callback, if it was appended to the URL.
  private(set) var sourceApp: String?

  /// Takes off one wrapper, if there is one; any other form is left for `RedirectURL` to refuse.
  init(_ text: String) {
    url = Self.repaired(text) ?? text
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard ASCII.isScheme(scheme), !Self.isActive(ASCII.lowercased(scheme)) else { return }
    let rest = text.utf8.dropFirst(scheme.count + 1)
    let inner = String(Substring(rest.starts(with: "//".utf8) ? rest.dropFirst(2) : rest))
    if let repaired = Self.repaired(inner) {
      url = repaired
    } else if Self.hasPrefix("https://", inner) {
      url = inner
    }
  }

  /// Takes off `&sourceApp=…` at the very end, with the slash that the 2021 cieid-ios-sdk put before it.
  mutating func splitSourceApp() {
    let marker = "&sourceApp="
    guard let last = url.utf8.lastIndex(of: UInt8(ascii: "&")), url[last...].hasPrefix(marker)
    else { return }
    sourceApp = String(url[last...].dropFirst(marker.count))
    url = String(url[..<last])
    if url.utf8.last == UInt8(ascii: "/") { url = String(Substring(url.utf8.dropLast())) }
  }

  /// Puts the `?` before parameters that stand straight after the host's slash, as iPhone links may have them.
  mutating func separateParameters() {
    guard Self.hasPrefix("https://", url) else { return }
    let slash = UInt8(ascii: "/")
    let authority = url.utf8.dropFirst("https://".utf8.count)
    guard let start = authority.firstIndex(of: slash) else { return }
    let first = authority[start...].dropFirst().prefix { ![slash, UInt8(ascii: "?")].contains($0) }
    guard !authority[..<start].contains(UInt8(ascii: "?")), first.contains(UInt8(ascii: "="))
    else { return }
    url.insert("?", at: url.utf8.index(after: start))
  }

  /// `https//…` with its colon back.
  private static func repaired(_ text: String) -> String? {
    let broken: StaticString = "https//"
    guard hasPrefix(broken, text) else { return nil }
    return "https://" + Substring(text.utf8.dropFirst(broken.utf8CodeUnitCount))
  }

  private static func hasPrefix(_ prefix: StaticString, _ text: String) -> Bool {
    let prefix = "\(prefix)".utf8
    return ASCII.lowercased(text.utf8.prefix(prefix.count)).utf8.elementsEqual(prefix)
  }

  /// Schemes that name no app: those of the web itself, and those that carry code or files.
  private static func isActive(_ scheme: String) -> Bool {
    [
      "https", "http", "ws", "wss", "ftp", "file", "data", "blob", "filesystem", "about",
      "javascript", "vbscript", "view-source",
    ].contains(scheme)
  }
}
