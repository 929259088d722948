internal import CCurl
internal import COpenSSL

extension HTTPError {
  /// A failure outside of a transfer.
  init(_ code: CURLcode) { self = .library(code: Int(code.rawValue)) }

  /// The meaning of a failed transfer (libcurl-errors(3)).
  ///
  /// - Parameter verifyResult: OpenSSL's result for the server's chain, from CURLINFO_SSL_VERIFYRESULT.
  init(_ code: CURLcode, host: String, trust: String?, verifyResult: Int) {
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: self = .unusableURL
    case CURLE_COULDNT_RESOLVE_HOST: self = .resolve(host: host)
    case CURLE_COULDNT_CONNECT: self = .connect(host: host)
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_ABORTED_BY_CALLBACK: self = .cancelled
    case CURLE_PEER_FAILED_VERIFICATION:
      self = .serverCertificate(ServerCertificateProblem(verifyResult: verifyResult))
    case CURLE_SSL_CACERT_BADFILE: self = .trustFile(path: trust ?? "")
    case CURLE_SSL_CONNECT_ERROR: self = .handshake(alert: nil)
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
      self = .disconnected
    // The schemes are checked beforehand; "unsupported protocol" then means an answer without a status line.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WRITE_ERROR,
      CURLE_BAD_CONTENT_ENCODING:
      self = .malformedResponse
    // libcurl takes no header line longer than 100 KiB, and reports it by this code.
    case CURLE_OUT_OF_MEMORY: self = .headersTooLong(limit: Int(CURL_MAX_HTTP_HEADER))
    default: self.init(code)
    }
  }
}

extension CurlHandle {
  /// The proxy's problem in a failed transfer; `nil` when the connection through it was open.
  borrowing func proxyProblem(_ code: CURLcode, at proxy: HTTPProxy) -> ProxyProblem? {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY: return .resolve
    case CURLE_COULDNT_CONNECT: return .connect
    case CURLE_PROXY: return .failed
    default: break
    }
    // A reused connection has passed the proxy; of a SOCKS proxy libcurl reports no more.
    guard proxy.speaksHTTP, number(CURLINFO_NUM_CONNECTS) > 0 else { return nil }
    switch (number(CURLINFO_HTTP_CONNECTCODE), code) {
    case (200..<300, _), (_, CURLE_ABORTED_BY_CALLBACK): return nil
    case (407, _): return .authenticationRequired
    case (0, CURLE_OPERATION_TIMEDOUT): return .timeout
    case (0, CURLE_PEER_FAILED_VERIFICATION):
      let result = number(CURLINFO_PROXY_SSL_VERIFYRESULT)
      return .certificate(ServerCertificateProblem(verifyResult: result))
    case (0, _): return .failed
    case (let status, _): return .refused(status: status)
    }
  }
}

extension ServerCertificateProblem {
  /// - Parameter verifyResult: an X509_V_ERR code; X509_V_OK, or the unspecified one that libcurl begins with, when
  ///   libcurl itself found that the host does not match.
  init(verifyResult: Int) {
    switch CInt(truncatingIfNeeded: verifyResult) {
    case X509_V_OK, X509_V_ERR_UNSPECIFIED, X509_V_ERR_HOSTNAME_MISMATCH,
      X509_V_ERR_IP_ADDRESS_MISMATCH:
      self = .wrongHost
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
      self = .unknownAuthority
    default: self = .other(code: verifyResult)
    }
  }
}
