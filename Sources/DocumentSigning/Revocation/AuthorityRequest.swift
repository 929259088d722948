internal import Primitives

/// A request to an authority, over http or https, because its answer is signed and judged before it is used.
public enum AuthorityRequest: Sendable, Equatable {
  /// TimeStampReq (RFC 3161 §2.4.1) for the time stamp authority, as `application/timestamp-query` in a POST.
  case timeStamp([UInt8])
  /// A certificate or a CRL.
  case get(url: String)
  /// OCSPRequest, as `application/ocsp-request` in a POST.
  case post(url: String, body: [UInt8])
}

extension AuthorityRequest {
  /// The address, as the certificate has it; nil for a time stamp authority, which the caller knows.
  public var address: String? {
    switch self {
    case .timeStamp: nil
    case .get(let url), .post(let url, _): url
    }
  }

  /// The reason of a failure of which no more is known.
  var unanswered: Diagnosis {
    switch self {
    case .timeStamp: .timeStampUnreachable
    case .get, .post: .revocationUnreachable
    }
  }
}

extension Diagnosis {
  static var timeStampUnreachable: Diagnosis { Diagnosis(.network, "time-stamp-unreachable") }
  static var revocationUnreachable: Diagnosis { Diagnosis(.network, "revocation-unreachable") }
}
