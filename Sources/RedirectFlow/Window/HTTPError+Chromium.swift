extension HTTPError {
  /// Why Chromium could not open a page, by the name of its network error (`net_error_list.h`).
  init(chromium name: String, host: String) {
    self =
      switch name {
      case "net::ERR_NAME_NOT_RESOLVED": .resolve(host: host)
      case "net::ERR_CONNECTION_REFUSED", "net::ERR_ADDRESS_UNREACHABLE",
        "net::ERR_INTERNET_DISCONNECTED":
        .connect(host: host)
      case "net::ERR_TIMED_OUT", "net::ERR_CONNECTION_TIMED_OUT": .timeout
      case "net::ERR_CERT_DATE_INVALID": .serverCertificate(.expired)
      case "net::ERR_CERT_COMMON_NAME_INVALID": .serverCertificate(.wrongHost)
      case "net::ERR_CERT_AUTHORITY_INVALID": .serverCertificate(.unknownAuthority)
      case "net::ERR_INVALID_HTTP_RESPONSE", "net::ERR_INVALID_REDIRECT": .malformedResponse
      default: .disconnected
      }
  }
}
