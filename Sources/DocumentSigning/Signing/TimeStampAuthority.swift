public import CIECard
internal import Primitives

/// An authority that states when a signature existed (RFC 3161).
///
/// The exchange is the caller's: the request goes as `application/timestamp-query` in a POST, over http or https, because
/// the answer is signed. Every answer is judged before it is used.
public struct TimeStampAuthority: Sendable {
  /// Sends a request and returns the body of the answer.
  public typealias Exchange = @Sendable (_ request: [UInt8]) throws(TimeStampError) -> [UInt8]

  /// Certificates of authorities that are trusted.
  let anchors: [Certificate]
  private let judge: TimeStampJudge
  private let exchange: Exchange

  /// - Parameters:
  ///   - trust: certificates of the authority or of its issuers.
  ///   - time: the time of judging.
  ///   - exchange: throws `TimeStampError.unreachable` without an answer.
  public init(
    trust: TrustStore, at time: UTCTime = .now, exchange: @escaping Exchange
  ) {
    anchors = trust.certificates
    judge = TimeStampJudge(trust: anchors, at: time)
    self.exchange = exchange
  }

  /// Gets a token for bytes.
  ///
  /// - Returns: the token, encoded, which is proved.
  /// - Throws: `TimeStampError`.
  func token(for bytes: [UInt8]) throws(TimeStampError) -> [UInt8] {
    let imprint: [UInt8]
    do throws(CryptoError) { imprint = try HashAlgorithm.sha256.hash(bytes) } catch {
      throw .crypto(error)
    }
    return try token(imprint: imprint)
  }

  /// Gets a token for bytes by their SHA-256.
  func token(imprint: [UInt8]) throws(TimeStampError) -> [UInt8] {
    let request: TimeStampRequest
    do throws(CryptoError) { request = try TimeStampRequest(of: imprint) } catch {
      throw .crypto(error)
    }
    let answer = try exchange(request.encoded)
    let response: TimeStampResponse
    do throws(TLVError) { response = try TimeStampResponse(answer) } catch { throw .malformed }
    switch response {
    case .refused(let status): throw .refused(status: status)
    case .granted(let encoded):
      let token: TimeStampToken
      do throws(CMSError) { token = try TimeStampToken(encoded) } catch { throw .malformed }
      guard token.nonce == request.nonce, token.imprint == request.imprint,
        token.algorithm == .sha256
      else { throw .otherAnswer }
      let verdict = judge.verdict(token) { (_) in imprint }.verdict
      guard verdict == .proved else { throw .notProved(verdict) }
      return encoded
    }
  }
}

/// The reason why there is no time stamp.
public enum TimeStampError: Error, Sendable, Equatable {
  /// The authority gave no answer; the caller of the exchange knows why.
  case unreachable
  /// It refused; PKIStatus (RFC 3161 §2.4.2).
  case refused(status: Int)
  /// The answer is no TimeStampResp.
  case malformed
  /// The answer belongs to another request.
  case otherAnswer
  /// The token is not proved; the verdict on its first point that is not.
  case notProved(SignatureReport.Verdict)
  /// OpenSSL refused an operation.
  case crypto(CryptoError)
}
