internal import CCurl
internal import Primitives

/// URLs as libcurl itself reads them, so that a host returned here is the one to which libcurl connects.
package enum CurlURL {
  /// The host of a URL, an IPv6 address without its brackets; `nil` when libcurl would reject the URL.
  package static func host(of url: String) -> String? {
    guard isPlain(url), let host = Handle(url)?.text(CURLUPART_HOST) else { return nil }
    return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }

  /// Checks whether a URL is http or https in printable ASCII, because libcurl then gets the whole text.
  static func isPlain(_ url: String) -> Bool {
    url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && (isSecure(url) || url.prefix(7).lowercased() == "http://")
  }

  package static func isSecure(_ url: String) -> Bool { url.prefix(8).lowercased() == "https://" }

  /// Scheme and host, with an explicit port, of a proxy; a bare host means http.
  static func proxy(_ text: String) -> (scheme: String, host: String)? {
    let flags = CUnsignedInt(CURLU_NON_SUPPORT_SCHEME)
    let kinds = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    let address = text.includes("://") ? text : "http://" + text
    guard let url = Handle(address, flags), let scheme = url.text(CURLUPART_SCHEME),
      let host = url.text(CURLUPART_HOST), kinds.contains(scheme)
    else { return nil }
    return (scheme, host + (url.text(CURLUPART_PORT).map { ":" + $0 } ?? ""))
  }

  private struct Handle: ~Copyable {
    let pointer: OpaquePointer

    init?(_ text: String, _ flags: CUnsignedInt = 0) {
      guard let pointer = curl_url() else { return nil }
      guard curl_url_set(pointer, CURLUPART_URL, text, flags) == CURLUE_OK else {
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
