/// Netscape's cookie file, which curl reads with `--cookie`.
enum CookieFile {
  static func text(_ lines: [String]) -> [UInt8] {
    [UInt8]((["# Netscape HTTP Cookie File"] + lines).map { $0 + "\n" }.joined().utf8)
  }
}
