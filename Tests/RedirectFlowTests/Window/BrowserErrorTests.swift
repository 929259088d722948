import Testing

@testable import RedirectFlow
@testable import Web

/// The reasons for which a page was not opened, by Chromium's and Firefox's names.
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
  func `a browser's network error equals our own`(_ name: String, _ error: HTTPError) {
    #expect(HTTPError(browserError: name, host: "example.org") == error)
  }
}
