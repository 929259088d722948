internal import RedirectFlow
internal import System

/// What a description says of the original identity app's protocol.
struct InsecureScopeRequestEntry: Sendable {
  let base: RedirectURL
  let appID: String
  let mobileID: String
  let secretFile: String
  /// Where the app is to come back to; `nil` for a phone that is not this machine.
  let returnAddress: String?

  init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    guard try entry.flag("insecure") else { throw .insecure("insecure") }
    base = try entry.base("base")
    guard ["localhost", "127.0.0.1", "[::1]"].contains(base.host) else { throw .insecure("base") }
    appID = try entry.text("appId")
    mobileID = try entry.text("mobileId")
    guard let file = try entry.file("secretFile") else { throw .missingMember("secretFile") }
    secretFile = file
    guard let scheme = try entry.optionalText("returnScheme") else {
      returnAddress = nil
      return
    }
    guard let handler = try entry.file("schemeHandler") else {
      throw .missingMember("schemeHandler")
    }
    guard Self.isOwnScheme(scheme), Self.handles(scheme, handler) else {
      throw .wrongMember("returnScheme")
    }
    returnAddress = scheme + "://pollForData"
  }

  /// Whether it has the form of a scheme (RFC 3986 §3.1), in small letters, and is not one of those that browsers have.
  private static func isOwnScheme(_ text: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let others = [UInt8]("0123456789+-.".utf8)
    return text.utf8.first.map(letters.contains) == true
      && text.utf8.allSatisfy { letters.contains($0) || others.contains($0) }
      && !["http", "https", "file", "data", "javascript"].contains(text)
  }

  /// Whether a desktop file (Desktop Entry Specification 1.5) says that a program of this machine handles the scheme.
  private static func handles(_ scheme: String, _ file: String) -> Bool {
    guard let bytes = try? PlainFile.read(file, limit: 64 << 10) else { return false }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("MimeType=") }
      .flatMap { $0.dropFirst("MimeType=".count).split(separator: ";") }
      .contains("x-scheme-handler/\(scheme)")
  }

  /// The link to the app with the kit's parameters (Civic Connect for iOS, `DefaultConnectSession`); `nil` when it would be
  /// too long for one. It leads to the test server, never to the kit's own address: that is somebody else's.
  func link(_ request: String) -> RedirectURL? {
    var items = [QueryItem("$originator", mobileID), QueryItem("$scoperequest", request)]
    if let returnAddress { items.append(QueryItem("$redirectURL", returnAddress)) }
    items.append(QueryItem("$fallback_url", "\(base.origin)"))
    return try? RedirectURL(base.appending("app").adding(items).text)
  }
}
