public import CIECard
internal import Primitives

/// An authority that states when a signature existed (RFC 3161). Every answer is judged before it is used.
public struct TimeStampAuthority: Sendable {
  let anchors: [Certificate]
  private let judge: TimeStampJudge

  /// - Parameters:
  ///   - trust: certificates of the authority or of its issuers.
  ///   - time: the time of judging.
  public init(trust: TrustStore, at time: UTCTime = .now) {
    anchors = trust.certificates
    judge = TimeStampJudge(trust: anchors, at: time)
  }

  /// The token in an answer: encoded, and proved.
  fileprivate func token(
    in answer: [UInt8], to request: TimeStampRequest
  ) throws(DocumentError) -> [UInt8] {
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
      let verdict = judge.verdict(token) { (_) in request.imprint }.verdict
      guard verdict == .proved else { throw .timeStamp(.notProved(verdict)) }
      return encoded
    }
  }
}

extension AuthorityExchanges {
  /// Gets a token for bytes: encoded, and proved.
  mutating func token(
    for bytes: [UInt8], by authority: TimeStampAuthority
  ) throws(DocumentError) -> [UInt8] {
    try token(imprint: ByteSource(bytes).hash(.sha256), by: authority)
  }

  /// Gets a token for bytes by their SHA-256.
  mutating func token(
    imprint: [UInt8], by authority: TimeStampAuthority
  ) throws(DocumentError) -> [UInt8] {
    let request = try TimeStampRequest(of: imprint)
    guard let exchange = exchange(.timeStamp(request)),
      case .timeStamp(let asked) = exchange.question
    else { throw .timeStamp(.unreachable(.timeStampUnreachable)) }
    if let reason = exchange.failure { throw .timeStamp(.unreachable(reason)) }
    return try authority.token(in: exchange.body ?? [], to: asked)
  }
}
