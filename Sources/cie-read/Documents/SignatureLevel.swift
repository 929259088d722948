import Arguments
import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives
import RedirectFlow

/// Levels of signatures (EN 319 122-1 §6, EN 319 142-1 §6).
enum SignatureLevel: String, CaseIterable, ArgumentValue {
  /// The signature alone.
  case b
  /// With a time stamp.
  case t
  /// With the revocation status of its certificates, too.
  case lt
  /// With a time stamp of all of these, too.
  case lta

  init(_ level: SignatureExtension.Level?) {
    switch level {
    case nil: self = .b
    case .t: self = .t
    case .lt: self = .lt
    case .lta: self = .lta
    }
  }

  /// The level above B; nil for B.
  var raised: SignatureExtension.Level? {
    switch self {
    case .b: nil
    case .t: .t
    case .lt: .lt
    case .lta: .lta
    }
  }
}

/// A server that states the time (RFC 3161 §3.4), as the command line names it.
struct TimeStampServer: Sendable {
  let url: RedirectURL
  /// Certificates of the authority or of its issuers.
  let trust: TrustStore
  /// The header field Authorization; nil without a user.
  let authorization: String?

  fileprivate func authority(_ exchange: AuthorityExchange) -> TimeStampAuthority {
    TimeStampAuthority(trust: trust, at: exchange.time) { (body) throws(DocumentError) in
      var request = HTTPRequest(url: url.withoutFragment.text, method: .postBytes(body))
      if let authorization {
        request.headers.append(.init(name: "Authorization", value: authorization))
      }
      do throws(Failure) {
        return try exchange.answer(
          to: request, type: "application/timestamp-query", Message("wait.time-stamp"))
      } catch {
        exchange.note(error)
        throw .timeStamp(.unreachable)
      }
    }
  }
}

/// A level above B, with what it needs.
struct RaisedLevel: Sendable {
  var level: SignatureExtension.Level
  let server: TimeStampServer
  /// Trusted issuers of the signers; nil for any that the certificates name.
  let issuers: TrustStore?

  func addition(_ exchange: AuthorityExchange) -> SignatureExtension {
    SignatureExtension(
      level, stampedBy: server.authority(exchange), issuers: issuers,
      evidence: exchange.revocations())
  }

  /// The level that can be reached in spite of an error: T without evidence of revocations; nil, for B, without time stamp.
  ///
  /// - Throws: the error if it has another cause.
  func lowered(after error: DocumentError) throws(DocumentError) -> RaisedLevel? {
    if case .timeStamp = error { return nil }
    guard case .revocation = error, level > .t else { throw error }
    var lower = self
    lower.level = .t
    return lower
  }

  /// Judges what was made, with the trust that was given for it.
  func judge(at time: UTCTime) -> DocumentJudge {
    DocumentJudge(trust: issuers, authorities: server.trust, at: time)
  }
}
