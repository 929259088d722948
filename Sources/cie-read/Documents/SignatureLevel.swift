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

  /// The level above B; nil for B.
  fileprivate var raised: SignatureExtension.Level? {
    switch self {
    case .b: nil
    case .t: .t
    case .lt: .lt
    case .lta: .lta
    }
  }
}

extension SignatureLevel: DescribedWord {}

/// A server that states the time (RFC 3161 §3.4), as the command line names it.
struct TimeStampServer: Sendable {
  let url: RedirectURL
  /// Certificates of the authority or of its issuers.
  let trust: TrustStore
  /// The header field Authorization; nil without a user.
  let authorization: String?
}

/// A level with what it needs.
struct RaisedLevel: Sendable {
  private(set) var level: SignatureLevel
  let server: TimeStampServer
  /// Trusted issuers of the signers; nil for any that the certificates name.
  let issuers: TrustStore?

  init(_ level: SignatureLevel, server: TimeStampServer, issuers: TrustStore?) {
    (self.level, self.server, self.issuers) = (level, server, issuers)
  }

  /// The addition to a signature; nil for level B.
  func addition(at time: UTCTime) -> SignatureExtension? {
    level.raised.map { level in
      SignatureExtension(
        level, stampedBy: TimeStampAuthority(trust: server.trust, at: time), issuers: issuers,
        evidence: RevocationService(at: time))
    }
  }

  /// Takes the level that can be reached in spite of an error: T without evidence of revocations, B without time stamp.
  ///
  /// - Returns: false if the error has another cause.
  mutating func lower(after error: DocumentError) -> Bool {
    if case .timeStamp = error {
      level = .b
    } else if case .revocation = error, level == .lt || level == .lta {
      level = .t
    } else {
      return false
    }
    return true
  }

  /// Judges what was made, with the trust that was given for it.
  func judge(at time: UTCTime) -> DocumentJudge {
    level == .b
      ? DocumentJudge(trust: nil, at: time)
      : DocumentJudge(trust: issuers, authorities: server.trust, at: time)
  }
}
