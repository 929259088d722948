package import CCurl

/// Owner of one easy handle of libcurl, with its connections and its cookie jar.
///
/// libcurl needs a global initialisation, which `curl_easy_init` makes itself if necessary; since 7.84 that is safe
/// from several threads (curl_global_init(3)), so this code has no global state.
package struct CurlHandle: ~Copyable {
  private let owned: UnsafeMutableRawPointer

  package var pointer: UnsafeMutableRawPointer { owned }

  package init() throws(HTTPError) {
    guard let pointer = curl_easy_init() else { throw HTTPError(CURLE_FAILED_INIT) }
    owned = pointer
  }

  package borrowing func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(curl_set_long(pointer, option, value))
  }

  borrowing func set(_ option: CURLoption, _ value: Duration) throws(HTTPError) {
    let (seconds, attoseconds) = value.components
    // Zero would mean "no limit".
    try set(option, max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)))
  }

  /// libcurl copies the text.
  package borrowing func set(_ option: CURLoption, _ value: String?) throws(HTTPError) {
    try check(curl_set_string(pointer, option, value))
  }

  /// libcurl keeps the address; the memory there must outlive the transfer.
  package borrowing func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?)
    throws(HTTPError)
  {
    try check(curl_set_pointer(pointer, option, value))
  }

  package borrowing func check(_ code: CURLcode) throws(HTTPError) {
    guard code == CURLE_OK else { throw HTTPError(code) }
  }

  borrowing func number(_ info: CURLINFO) -> Int {
    var value = 0
    return curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  borrowing func list(_ info: CURLINFO) -> [String] {
    var first: UnsafeMutablePointer<curl_slist>?
    guard curl_get_list(pointer, info, &first) == CURLE_OK else { return [] }
    defer { curl_slist_free_all(first) }
    var texts: [String] = []
    var entry = first
    while let current = entry {
      if let text = current.pointee.data { texts.append(String(cString: text)) }
      entry = current.pointee.next
    }
    return texts
  }

  deinit { curl_easy_cleanup(pointer) }
}
