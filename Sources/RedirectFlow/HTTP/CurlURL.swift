internal import CCurl

/// URLs as libcurl itself understands them: who asks for a host here is told the one that libcurl connects to.
enum CurlURL {
  /// The host of a URL, an IPv6 address without its brackets; `nil` when libcurl would not go there.
  static func host(of url: String) -> String? {
    guard isPlain(url), let host = Handle(url)?.text(CURLUPART_HOST) else { return nil }
    return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }

  /// Whether a URL is http or https in printable ASCII: what libcurl gets is then the whole text.
  static func isPlain(_ url: String) -> Bool {
    url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && (isSecure(url) || url.prefix(7).lowercased() == "http://")
  }

  /// Whether a plain URL is https.
  static func isSecure(_ url: String) -> Bool { url.prefix(8).lowercased() == "https://" }

  /// A reference as it stands in a page, as an absolute URL (RFC 3986 §5).
  ///
  /// One with a scheme stays as it is, byte for byte.
  ///
  /// - Returns: `nil` when it does not lead to a URL.
  static func resolve(_ reference: String, against base: String) -> String? {
    guard !reference.utf8.contains(0), !base.utf8.contains(0) else { return nil }
    if hasScheme(reference) { return reference }
    guard let url = Handle(base) else { return nil }
    if !reference.isEmpty {
      // Spaces and bytes outside of ASCII are escaped, as browsers do.
      guard
        curl_url_set(url.pointer, CURLUPART_URL, reference, CUnsignedInt(CURLU_URLENCODE))
          == CURLUE_OK
      else { return nil }
    }
    return url.text(CURLUPART_URL)
  }

  /// RFC 3986 §3.1: a letter, then letters, digits, `+`, `-`, `.`, then a colon.
  private static func hasScheme(_ reference: String) -> Bool {
    let scheme = reference.utf8.prefix { $0 != UInt8(ascii: ":") }
    let rest = reference.utf8.dropFirst(scheme.count)
    guard !rest.isEmpty, let first = scheme.first, isLetter(first) else { return false }
    return scheme.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private struct Handle: ~Copyable {
    let pointer: OpaquePointer

    init?(_ text: String) {
      guard let pointer = curl_url() else { return nil }
      guard curl_url_set(pointer, CURLUPART_URL, text, 0) == CURLUE_OK else {
        curl_url_cleanup(pointer)
        return nil
      }
      self.pointer = pointer
    }

    borrowing func text(_ part: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(pointer, part, &text, 0) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }

    deinit { curl_url_cleanup(pointer) }
  }
}
