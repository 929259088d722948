/// A request with a checked URL: a followed link, or a sent form.
struct FormSubmission {
  let url: RedirectURL
  let method: HTTPRequest.Method
  /// The page that led to it; `nil` for an address that was typed in.
  let referrer: Referrer?

  init(_ url: RedirectURL, _ method: HTTPRequest.Method = .get, from referrer: Referrer? = nil) {
    self.url = url
    self.method = method
    self.referrer = referrer
  }

  /// The request, as browsers make it; a fragment stays in the browser (RFC 9110 §4.2.5).
  var request: HTTPRequest {
    var request = HTTPRequest(
      url: url.withoutFragment.text, method: method, bodyLimit: HTMLParser.sizeLimit)
    request.headers = [
      .init(
        name: "Accept", value: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
      .init(name: "Accept-Language", value: "it-IT,it;q=0.9,en;q=0.8"),
    ]
    if let page = referrer?.referer(to: url) {
      request.headers.append(.init(name: "Referer", value: page))
    }
    if case .post = method, let origin = referrer?.origin(of: url) {
      request.headers.append(.init(name: "Origin", value: origin))
    }
    return request
  }
}

extension FormSubmission {
  /// - Throws: `.refusedByIdentityProvider` when this carries a response with any status but success. Unreadable
  ///   content is no such response: beyond the service provider, its gateways may use other formats.
  func refuseBadStatus() throws(LoginError) {
    guard let response = try? SAMLResponse(method), !response.status.isSuccess else { return }
    throw LoginError(.refusedByIdentityProvider(response.status))
  }
}

/// The policy by which a request names its referrer (Referrer Policy §3, Fetch §3.2).
enum ReferrerPolicy: String, Sendable {
  case noReferrer = "no-referrer"
  case noReferrerWhenDowngrade = "no-referrer-when-downgrade"
  case sameOrigin = "same-origin"
  case origin
  case strictOrigin = "strict-origin"
  case originWhenCrossOrigin = "origin-when-cross-origin"
  /// The default of all browsers.
  case strictOriginWhenCrossOrigin = "strict-origin-when-cross-origin"
  case unsafeURL = "unsafe-url"

  /// The last policy that a header field names and that is known (§4.2).
  init?(header: String) {
    let known = header.split(separator: ",").compactMap { name in
      ReferrerPolicy(rawValue: ASCII.lowercased(name.utf8.filter { $0 > 0x20 }))
    }
    guard let last = known.last else { return nil }
    self = last
  }
}

/// The page that led to a request, and the policy by which it is named.
struct Referrer: Sendable {
  let page: RedirectURL
  var policy = ReferrerPolicy.strictOriginWhenCrossOrigin
  /// True if a redirect has hidden the origin of the request (Fetch §3.2, "redirect-tainted").
  private(set) var isTainted = false

  init(_ page: RedirectURL) { self.page = page }

  /// The header field `Referer` of a request; all addresses here are `https`, so nothing is ever downgraded.
  func referer(to url: RedirectURL) -> String? {
    let isSame = page.origin == url.origin
    switch policy {
    case .noReferrer: return nil
    case .sameOrigin: return isSame ? page.withoutFragment.text : nil
    case .origin, .strictOrigin: return "\(page.origin)/"
    case .originWhenCrossOrigin, .strictOriginWhenCrossOrigin:
      return isSame ? page.withoutFragment.text : "\(page.origin)/"
    case .noReferrerWhenDowngrade, .unsafeURL: return page.withoutFragment.text
    }
  }

  /// The header field `Origin` of a POST.
  func origin(of url: RedirectURL) -> String {
    switch policy {
    case _ where isTainted: "null"
    case .noReferrer: "null"
    case .sameOrigin: page.origin == url.origin ? "\(page.origin)" : "null"
    case .noReferrerWhenDowngrade, .origin, .strictOrigin, .originWhenCrossOrigin,
      .strictOriginWhenCrossOrigin, .unsafeURL:
      "\(page.origin)"
    }
  }

  /// The referrer after a redirect, which may set another policy.
  func redirected(from here: RedirectURL, to next: RedirectURL, _ header: String?) -> Referrer {
    var referrer = self
    if let policy = header.flatMap(ReferrerPolicy.init(header:)) { referrer.policy = policy }
    if here.origin != next.origin, here.origin != page.origin { referrer.isTainted = true }
    return referrer
  }
}
