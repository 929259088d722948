package struct HTTPResponse: Sendable {
  package struct Header: Sendable, Hashable {
    /// Its name in lower case.
    package var name: String
    /// Its value without surrounding white space.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package var status: Int
  /// The URL of the request.
  package var url: String
  package var headers: [Header]
  /// The body, never longer than the request allows.
  package var body: [UInt8]
  /// True if the body came to its end; `false` only where the request accepts a part of it.
  package var isComplete = true
  /// The target of a redirect, as an absolute URL; `nil` when the answer is no redirect. Not checked yet.
  package var location: String?

  /// Finds the target of a redirect.
  ///
  /// libcurl would do that too, but not as browsers do, nor leave the URL of a hand-off to an app unchanged.
  ///
  /// - Throws: `malformedResponse` when a redirect leads to several places, or to none that is an address.
  package init(status: Int, url: String, headers: [Header], body: [UInt8]) throws(HTTPError) {
    self.status = status
    self.url = url
    self.headers = headers
    self.body = body
    let locations = Set(headers.lazy.filter { $0.name == "location" }.map(\.value))
    guard (300..<400).contains(status), let first = locations.first else { return }
    let base = try? RedirectURL(asBrowsersRead: url)
    guard locations.count == 1, let target = RedirectURL.target(of: first, on: base) else {
      throw .malformedResponse
    }
    location = target
  }

  /// The value of the first header field of this name, in any case of letters.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name == name }?.value
  }
}

extension HTTPResponse: Redacted {
  package var description: String { "HTTP status \(status), \(body.count) bytes" }
}

extension HTTPResponse.Header: Redacted {
  /// The name; the value may be a cookie or a URL with a secret.
  package var description: String { name }
}
