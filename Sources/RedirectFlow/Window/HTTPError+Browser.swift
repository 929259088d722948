extension HTTPError {
  /// The reason why a browser could not open a page, by the name of its network error: Chromium's (`net_error_list.h`)
  /// or Firefox's (`xpc.msg`; NSS, `secerr.h` and `sslerr.h`).
  init(browserError name: String, host: String) {
    // Firefox writes those of NSS as NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SEC_ERROR_UNKNOWN_ISSUER).
    self =
      switch name.split(whereSeparator: { "(, )".contains($0) }).last {
      case "net::ERR_NAME_NOT_RESOLVED", "NS_ERROR_UNKNOWN_HOST": .resolve(host: host)
      case "net::ERR_CONNECTION_REFUSED", "net::ERR_ADDRESS_UNREACHABLE",
        "net::ERR_INTERNET_DISCONNECTED", "NS_ERROR_CONNECTION_REFUSED", "NS_ERROR_OFFLINE":
        .connect(host: host)
      case "net::ERR_TIMED_OUT", "net::ERR_CONNECTION_TIMED_OUT", "NS_ERROR_NET_TIMEOUT":
        .timeout
      case "net::ERR_CERT_DATE_INVALID", "SEC_ERROR_EXPIRED_CERTIFICATE",
        "SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE":
        .serverCertificate(.expired)
      case "net::ERR_CERT_COMMON_NAME_INVALID", "SSL_ERROR_BAD_CERT_DOMAIN":
        .serverCertificate(.wrongHost)
      case "net::ERR_CERT_AUTHORITY_INVALID", "SEC_ERROR_UNKNOWN_ISSUER",
        "MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT":
        .serverCertificate(.unknownAuthority)
      case "net::ERR_INVALID_HTTP_RESPONSE", "net::ERR_INVALID_REDIRECT": .malformedResponse
      default: .disconnected
      }
  }
}
