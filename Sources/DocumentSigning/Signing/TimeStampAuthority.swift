public import CIECard
internal import Primitives

/// An authority that states when a signature existed (RFC 3161).
///
/// The exchange is the caller's: the request goes as `application/timestamp-query` in a POST, over http or https, because
/// the answer is signed. Every answer is judged before it is used.
public struct TimeStampAuthority: Sendable {
  /// Sends a request and returns the body of the answer.
  public typealias Exchange = @Sendable (_ request: [UInt8]) throws(DocumentError) -> [UInt8]

  let anchors: [Certificate]
  private let judge: TimeStampJudge
  private let exchange: Exchange

  /// - Parameters:
  ///   - trust: certificates of the authority or of its issuers.
  ///   - time: the time of judging.
  ///   - exchange: throws `TimeStampError.unreachable` without an answer.
  public init(trust: TrustStore, at time: UTCTime = .now, exchange: @escaping Exchange) {
    anchors = trust.certificates
    judge = TimeStampJudge(trust: anchors, at: time)
    self.exchange = exchange
  }

  /// Gets a token for bytes: encoded, and proved.
  func token(for bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
    try token(imprint: ByteSource(bytes).hash(.sha256))
  }

  /// Gets a token for bytes by their SHA-256.
  func token(imprint: [UInt8]) throws(DocumentError) -> [UInt8] {
    let request = try TimeStampRequest(of: imprint)
    let answer = try exchange(request.encoded)
    let isPage = answer.first { $0 > 0x20 } == UInt8(ascii: "<")
    let malformed = DocumentError.timeStamp(isPage ? .page : .malformed)
    switch try mapError(try TimeStampResponse(answer), { (_: TLVError) in malformed }) {
    case .refused(let status, let words, let reasons):
      throw .timeStamp(.refused(status: status, words: words, reasons: reasons))
    case .granted(let encoded):
      let token = try mapError(try TimeStampToken(encoded)) { (_: DocumentError) in malformed }
      guard token.nonce == request.nonce, token.imprint == request.imprint,
        token.algorithm == .sha256
      else { throw .timeStamp(.otherAnswer) }
      let verdict = judge.verdict(token) { (_) in imprint }.verdict
      guard verdict == .proved else { throw .timeStamp(.notProved(verdict)) }
      return encoded
    }
  }
}
