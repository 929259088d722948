import Testing

@testable import RedirectFlow

/// Why a page was not opened, as Chromium and Firefox call it.
@Suite struct BrowserErrorTests {
  @Test(arguments: [
    ("net::ERR_CERT_AUTHORITY_INVALID", HTTPError.serverCertificate(.unknownAuthority)),
    (
      "NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SEC_ERROR_UNKNOWN_ISSUER)",
      .serverCertificate(.unknownAuthority)
    ),
    (
      "NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SSL_ERROR_BAD_CERT_DOMAIN)",
      .serverCertificate(.wrongHost)
    ),
    ("NS_ERROR_CONNECTION_REFUSED", .connect(host: "example.org")),
    ("net::ERR_NAME_NOT_RESOLVED", .resolve(host: "example.org")),
    ("NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, 16398)", .disconnected),
    ("", .disconnected),
  ])
  func `a browser's network error is told as our own would be`(_ name: String, _ error: HTTPError) {
    #expect(HTTPError(browserError: name, host: "example.org") == error)
  }
}
